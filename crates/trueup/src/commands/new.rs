//! `trueup new`: write a task file, and have a person look over it.

use super::draft;
use crate::{
    args::{Global, New},
    editor::Editor,
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};

/// Writes a task file under the next free id. Where somebody sits at a
/// terminal, it opens in their editor and is read when they are done.
pub(crate) fn new(project: &Project, new: &New, global: &Global) -> Result<Exit, Failure> {
    let file = draft::write(project, &new.title, new.id.as_deref())?;
    let id = file.id();
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "task": id, "file": file.name }))?;
        return Ok(Exit::Verified);
    }
    if let Some(editor) = Editor::here(project, global).filter(|_| !new.no_edit) {
        editor.open(project, &file);
        return edited(project, &file, &editor);
    }
    let is_sound = draft::sound(project, &file, None).is_ok();
    let what = if is_sound {
        "Look over its criteria, then:"
    } else {
        "Give each criterion a check that is red today, then:"
    };
    render::line(&format!("Wrote {}. {what}", file.name));
    render::next(&[&format!("trueup check {id}"), &format!("trueup run {id}")]);
    Ok(Exit::Verified)
}

/// What became of the file in the editor.
fn edited(project: &Project, file: &TaskFile, editor: &Editor) -> Result<Exit, Failure> {
    if !file.path.exists() {
        render::line(&format!("{} is gone, so there is no new task.", file.name));
        return Ok(Exit::Verified);
    }
    let task = draft::sound(project, file, Some(editor))?;
    render::draft(&file.name, &task);
    render::next(&[&format!("trueup check {}", task.id), &format!("trueup run {}", task.id)]);
    Ok(Exit::Verified)
}
