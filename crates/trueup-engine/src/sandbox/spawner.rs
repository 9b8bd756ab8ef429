//! The one thread from which every sandbox is spawned.
//!
//! It enters the groups of each sandbox while it spawns it, which no thread may
//! do that does other work meanwhile.

use super::{groups::Groups, share::Share};
use crate::crash;
use std::{
    io,
    sync::{
        OnceLock,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};
use tokio::{
    process::{Child, Command},
    runtime::Handle,
    sync::oneshot,
};

static ORDERS: OnceLock<Sender<LaunchPlan>> = OnceLock::new();

struct LaunchPlan {
    command: Command,
    share: Share,
    runtime: Handle,
    reply: oneshot::Sender<Spawned>,
}

/// What was spawned, and the groups that hold it, where it could have any.
type Spawned = (io::Result<Child>, Option<Groups>);

/// Spawns the command; must be called from a tokio runtime that drives I/O.
pub(super) async fn spawn(command: Command, share: Share) -> io::Result<(Child, Option<Groups>)> {
    let (reply, answer) = oneshot::channel();
    let order = LaunchPlan {
        command,
        share,
        runtime: Handle::current(),
        reply,
    };
    let gone = || io::Error::other("the thread that spawns sandboxes is not there");
    ORDERS.get_or_init(open).send(order).map_err(|_| gone())?;
    let (child, groups) = answer.await.map_err(|_| gone())?;
    Ok((child?, groups))
}

fn open() -> Sender<LaunchPlan> {
    let (sender, receiver) = mpsc::channel();
    // A thread that cannot be had drops the receiver, and every order then says so.
    drop(
        thread::Builder::new()
            .name("sandboxes".to_owned())
            .spawn(move || work(&receiver)),
    );
    sender
}

fn work(orders: &Receiver<LaunchPlan>) {
    for mut order in orders {
        let entered = order.runtime.enter();
        let (child, groups) = match Groups::new(order.share) {
            Some(groups) => groups.hold(|| order.command.spawn()),
            None => (order.command.spawn(), None),
        };
        if child.is_ok() {
            crash::spawned("sandbox.spawned");
        }
        drop(entered);
        // The command holds our copy of the inner end of the control socket.
        // It must be closed before anybody waits for that end to close.
        drop(order.command);
        // Whoever asked may be gone by now; with the line the child ends too.
        drop(order.reply.send((child, groups)));
    }
}
