use routes::Router;

pub fn shop() -> Router {
    Router::new()
        .add("/", "home")
        .add("/files/*path", "file")
        .add("/users/:id", "user")
        .add("/users/new", "new-user")
        .add("/users/:id/orders/:order", "order")
        .add("/files/:name", "plain-file")
        .add("/about", "about")
}

pub fn check(router: &Router, path: &str, name: &str, params: &[(&str, &str)]) {
    let found = router.find(path).unwrap_or_else(|| panic!("no route for {path}"));
    let got: Vec<(&str, &str)> = found.params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(found.name, name, "{path}");
    assert_eq!(got, params, "{path}");
}

/// Lines such as `/users/7 user id=7`; a # starts a comment.
pub fn check_table(router: &Router, table: &str) {
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (path, name) = (words.next().unwrap(), words.next().unwrap());
        let params: Vec<(&str, &str)> = words.map(|word| word.split_once('=').unwrap()).collect();
        check(router, path, name, &params);
    }
}
