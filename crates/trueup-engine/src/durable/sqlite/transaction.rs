//! The one place that writes.

use super::schema;
use crate::{crash, durable::DeskError};
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Keeps something: all of it, durably, or nothing.
pub(super) fn keep<T, E: From<rusqlite::Error> + From<DeskError>>(
    connection: &mut Connection,
    write: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    crash::point("keep.before");
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // A newer trueup may have lifted the file while this process had it open.
    schema::refuse_newer(&transaction)?;
    let kept = write(&transaction)?;
    transaction.commit()?;
    crash::point("keep.after");
    Ok(kept)
}
