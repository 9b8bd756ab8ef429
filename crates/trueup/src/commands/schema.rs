//! `trueup schema`: what editors need to know of the files people write.

use crate::{
    args::{Schema, SchemaOf},
    config,
    exit::{Exit, Failure},
    render,
};

/// Prints a schema.
pub(crate) fn schema(schema: &Schema) -> Result<Exit, Failure> {
    let document = match schema.of {
        SchemaOf::Config => config::schema(),
        SchemaOf::Task => trueup_inspect::task_file::schema::document(),
    };
    render::line(&serde_json::to_string_pretty(&document)?);
    Ok(Exit::Verified)
}
