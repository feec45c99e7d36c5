//! How much memory this process may have: by its cgroup's limits, and by what is left of them and of the machine's
//! memory. Linux gives memory when it is first touched, and ends processes when there is no more: a large allocation that
//! can't be touched to its end is refused instead.
//!
//! Sources: proc(5) (meminfo, self/statm), the kernel's Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.

use super::machine::read_number;
use std::fs;

/// The names of a memory controller's files.
struct Version {
    root: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// In `memory.stat`: pages of files, which are given up before anything is ended.
    files: [&'static str; 2],
}

const V1: Version = Version {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    files: ["total_inactive_file", "total_active_file"],
};

const V2: Version = Version {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    files: ["inactive_file", "active_file"],
};

/// The smallest memory limit on the way from this process's cgroup to the root, in bytes.
pub fn cgroup_limit() -> Option<u64> {
    let limits = levels().into_iter();
    limits
        .filter_map(|(version, folder)| read_number(format!("{folder}/{}", version.limit)))
        .min()
}

/// Bytes that the process can touch beyond what it has touched, before the system runs out of memory or a cgroup on the
/// way to the root does. None if nothing tells.
pub fn untouched() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let machine = meminfo.and_then(|text| field(&text, "MemAvailable:"));
    let groups = levels().into_iter().filter_map(|(version, folder)| {
        let limit = read_number(format!("{folder}/{}", version.limit))?;
        let usage = read_number(format!("{folder}/{}", version.usage))?;
        let stat = fs::read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
        let files: u64 = version
            .files
            .iter()
            .filter_map(|name| field(&stat, name))
            .sum();
        Some(limit.saturating_sub(usage).saturating_add(files))
    });
    groups.chain(machine.map(|kib| kib << 10)).min()
}

/// Bytes of memory that the process has touched.
pub fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok());
    // SAFETY: sysconf only answers.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0) * page.max(0) as u64
}

/// The number behind a name, of lines "name number".
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The folders of this process's memory cgroups, up to the root (version 2 and version 1).
fn levels() -> Vec<(&'static Version, String)> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut out = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let version = match controllers {
            "" => &V2,
            "memory" => &V1,
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            out.push((version, format!("{}{path}", version.root)));
            match path.rfind('/') {
                Some(cut) => path = &path[..cut],
                None => break,
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_room_for_more() {
        assert!(resident() > 1 << 20);
        assert!(untouched().expect("the machine tells") > 1 << 20);
    }

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "file 1\ninactive_file 20\ntotal_inactive_file 300\nMemAvailable:   4 kB\n";
        assert_eq!(field(text, "inactive_file"), Some(20));
        assert_eq!(field(text, "MemAvailable:"), Some(4));
        assert_eq!(field(text, "active_file"), None);
    }
}
