//! How much of the kernel a program inside can reach.
//!
//! Namespaces hide files, processes and networks. Keys are in none of them, and
//! some calls are large enough to hold ways out that nobody knows yet. A program
//! that builds or tests software needs none of these; each is listed, with the
//! reason, in `docs/kernel.md`.

use crate::fault::{self, Fault};
use keyutils::Keyring;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter, sock_filter,
};
use std::{collections::BTreeMap, io};

/// Calls that are refused with whatever they are called.
const REFUSED: &[i64] = &[
    // The kernel's keys.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Mounts.
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_umount2,
    // Large parts of the kernel that programs seldom need.
    libc::SYS_bpf,
    libc::SYS_fanotify_init,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_lookup_dcookie,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    // The machine itself.
    libc::SYS_acct,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// The kinds of sockets that programs may open. A virtual machine reaches its
/// host by another kind, whatever its network namespace.
const SOCKETS: [i32; 5] = [
    libc::AF_UNSPEC,
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

/// Requests that type on somebody's terminal.
const TYPING: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];

/// Signals that threads of one program send each other, by another call. No mask
/// of the first program's holds them off.
const THREADS_OWN: [u64; 3] = [32, 33, 34];

/// From this number on, the calls of a processor of this kind have a second
/// number, which no rule would know.
#[cfg(target_arch = "x86_64")]
const SECOND_NUMBERS: u32 = 0x4000_0000;

/// Leaves the keys of whoever built this sandbox behind, and gives up for good
/// what no program inside may reach. Whatever this process starts is held to it.
pub(super) fn confine() -> io::Result<()> {
    if fault::planted(Fault::SharesKernel) {
        return Ok(());
    }
    leave_keys()?;
    let program = program().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}

/// A session of its own for keys; where the kernel has none or refuses them, so
/// does it to everything inside.
fn leave_keys() -> io::Result<()> {
    match Keyring::join_anonymous_session() {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.0, libc::ENOSYS | libc::EPERM | libc::EACCES) => Ok(()),
        Err(error) => Err(io::Error::other(format!("no session for keys of its own: {error}"))),
    }
}

fn program() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let unlike = |kind: &i32| condition(0, SeccompCmpOp::Ne, u64::from(kind.unsigned_abs()));
    let other_kind = SeccompRule::new(SOCKETS.iter().map(unlike).collect::<Result<_, _>>()?)?;
    rules.insert(libc::SYS_socket, vec![other_kind.clone()]);
    rules.insert(libc::SYS_socketpair, vec![other_kind]);
    let typing = TYPING
        .into_iter()
        .map(|request| SeccompRule::new(vec![condition(1, SeccompCmpOp::Eq, request)?]));
    rules.insert(libc::SYS_ioctl, typing.collect::<Result<_, _>>()?);
    for call in [libc::SYS_kill, libc::SYS_rt_sigqueueinfo, libc::SYS_pidfd_send_signal] {
        let signals = THREADS_OWN
            .into_iter()
            .map(|signal| SeccompRule::new(vec![condition(1, SeccompCmpOp::Eq, signal)?]));
        rules.insert(call, signals.collect::<Result<_, _>>()?);
    }
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, std::env::consts::ARCH.try_into()?)?;
    let compiled: BpfProgram = filter.try_into()?;
    Ok(refuse_second_numbers().into_iter().chain(compiled).collect())
}

fn condition(argument: u8, like: SeccompCmpOp, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, like, value)
}

/// Goes before the rest: what has a second number is not there.
#[cfg(target_arch = "x86_64")]
fn refuse_second_numbers() -> Vec<sock_filter> {
    let refusal = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, (0, 0), 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, (0, 1), SECOND_NUMBERS),
        instruction(libc::BPF_RET | libc::BPF_K, (0, 0), refusal),
    ]
}

/// Processors of this kind have one number for each call.
#[cfg(not(target_arch = "x86_64"))]
fn refuse_second_numbers() -> Vec<sock_filter> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn instruction(code: u32, (jt, jf): (u8, u8), k: u32) -> sock_filter {
    let code = u16::try_from(code).unwrap_or_default();
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::{REFUSED, program};
    use std::collections::BTreeSet;

    #[test]
    fn the_filter_can_be_made() {
        assert!(program().expect("a filter").len() > REFUSED.len());
    }

    #[test]
    fn the_page_names_every_call_that_is_refused() {
        let source = include_str!("kernel.rs");
        let names = source.lines().filter_map(|line| line.trim().strip_prefix("libc::SYS_"));
        let page = include_str!("../../../../docs/kernel.md");
        let named: BTreeSet<&str> = names.filter_map(|name| name.strip_suffix(',')).collect();
        assert_eq!(named.len(), REFUSED.len());
        for name in named {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
