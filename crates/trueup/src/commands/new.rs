//! `trueup new`: write a task file to be filled in.

use crate::{
    args::{Global, New},
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::{fs, io::Write};

/// Writes a task file under the next free id.
pub(crate) fn new(project: &Project, new: &New, global: &Global) -> Result<Exit, Failure> {
    let title = new.title.trim();
    if title.is_empty() || title.contains('\n') {
        return Err(Failure::new(Exit::Usage, "a title is one line of text").next("trueup new \"Greet by name\""));
    }
    let id = match &new.id {
        Some(id) => id.clone(),
        None => free_id(project)?,
    };
    fs::create_dir_all(project.tasks_folder())?;
    let path = project.tasks_folder().join(format!("{id}.md"));
    let mut file = fs::File::create_new(&path).map_err(|error| {
        Failure::new(Exit::Conflict, format!("{}: {error}", path.display())).next(format!("trueup check {id}"))
    })?;
    file.write_all(template(&id, title).as_bytes())?;
    let name = path
        .strip_prefix(&project.checkout)
        .unwrap_or(&path)
        .display()
        .to_string();
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "task": id, "file": name }))?;
    } else {
        render::line(&format!(
            "Wrote {name}. Give each criterion a check that is red today, then:"
        ));
        render::next(&[&format!("trueup check {id}"), &format!("trueup run {id}")]);
    }
    Ok(Exit::Verified)
}

fn free_id(project: &Project) -> Result<String, Failure> {
    let taken: Vec<u32> = TaskFile::all(project)?
        .iter()
        .filter_map(|file| file.id().strip_prefix("T-")?.parse().ok())
        .collect();
    Ok(format!("T-{:03}", taken.iter().max().unwrap_or(&0) + 1))
}

fn template(id: &str, title: &str) -> String {
    let title = serde_json::Value::from(title);
    format!(
        "---\n\
         v: 1\n\
         id: {id}\n\
         title: {title}\n\
         size: small\n\
         ---\n\
         \n\
         What is wanted, and why. The agent reads this.\n\
         \n\
         ## Acceptance criteria\n\
         \n\
         - [ ] **AC-1** One statement that will be true in the end.\n"
    )
}
