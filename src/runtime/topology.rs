//! Which CPUs share a memory node or a cache, as Linux tells it.
//!
//! Source: the kernel's Documentation/ABI (sysfs-devices-system-cpu: `cache/index*/level`, `type`, `shared_cpu_list`;
//! sysfs-devices-node: `cpulist`). Invariant: groups are parts of the list asked about, none is empty, no CPU is in
//! two of them; where the system tells nothing of a CPU, there are no groups at all.

use std::fs;
use std::path::Path;

/// What CPUs can share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// A memory node (NUMA).
    Node,
    /// A data or unified cache of this level.
    Cache(u8),
}

/// The CPUs of the list, sorted into those that share what is asked for.
pub fn groups(cpus: &[usize], shared: Shared) -> Vec<Vec<usize>> {
    groups_in(Path::new("/sys/devices/system"), cpus, shared)
}

fn groups_in(system: &Path, cpus: &[usize], shared: Shared) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &cpu in cpus {
        if groups.iter().any(|group| group.contains(&cpu)) {
            continue;
        }
        let mates = match shared {
            Shared::Node => node_of(system, cpu),
            Shared::Cache(level) => cache_of(system, cpu, level),
        };
        let Some(mates) = mates else {
            return Vec::new();
        };
        let taken = |cpu: &usize| groups.iter().any(|group| group.contains(cpu));
        let in_list = cpus.iter().filter(|cpu| mates.contains(cpu));
        groups.push(in_list.copied().filter(|cpu| !taken(cpu)).collect());
    }
    groups
}

/// The CPUs of the memory node that `cpu` belongs to.
fn node_of(system: &Path, cpu: usize) -> Option<Vec<usize>> {
    fs::read_dir(system.join("node"))
        .ok()?
        .flatten()
        .find_map(|entry| {
            let text = fs::read_to_string(entry.path().join("cpulist")).ok()?;
            parse_list(&text).filter(|list| list.contains(&cpu))
        })
}

/// The CPUs that share `cpu`'s cache of a level.
fn cache_of(system: &Path, cpu: usize, level: u8) -> Option<Vec<usize>> {
    let caches = system.join(format!("cpu/cpu{cpu}/cache"));
    (0..16).find_map(|index| {
        let read = |name: &str| {
            fs::read_to_string(caches.join(format!("index{index}/{name}")))
                .ok()
                .map(|text| text.trim().to_string())
        };
        let fits = read("level")? == level.to_string() && read("type")? != "Instruction";
        let list = fits.then(|| parse_list(&read("shared_cpu_list")?))??;
        list.contains(&cpu).then_some(list)
    })
}

/// "0-3,8": the numbers of a list.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    /// More CPUs than the kernel can have are nonsense.
    const MOST: usize = 1 << 16;
    let mut list = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if last >= MOST {
            return None;
        }
        list.extend(first..=last);
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Four CPUs in two nodes; pairs share level 2, all level 3; the level 1 caches are their own.
    fn machine() -> PathBuf {
        let root = std::env::temp_dir().join(format!("clotho-topology-{}", std::process::id()));
        let write = |path: String, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a file in a directory")).unwrap();
            fs::write(path, text).unwrap();
        };
        write("node/node0/cpulist".into(), "0-1\n");
        write("node/node1/cpulist".into(), "2,3\n");
        write("node/possible".into(), "0-1\n");
        for cpu in 0..4 {
            let pair = if cpu < 2 { "0-1" } else { "2-3" };
            let own = cpu.to_string();
            let caches = [
                ("1", "Instruction", "0-3"),
                ("1", "Data", own.as_str()),
                ("2", "Unified", pair),
                ("3", "Unified", "0-3"),
            ];
            for (index, (level, kind, list)) in caches.iter().enumerate() {
                let cache = format!("cpu/cpu{cpu}/cache/index{index}");
                write(format!("{cache}/level"), level);
                write(format!("{cache}/type"), kind);
                write(format!("{cache}/shared_cpu_list"), list);
            }
        }
        root
    }

    #[test]
    fn cpus_are_sorted_by_what_they_share() {
        let root = machine();
        let groups = |cpus: &[usize], shared| groups_in(&root, cpus, shared);
        let all = [0, 1, 2, 3];
        assert_eq!(groups(&all, Shared::Node), [[0, 1], [2, 3]]);
        assert_eq!(groups(&all, Shared::Cache(1)), [[0], [1], [2], [3]]);
        assert_eq!(groups(&[0, 3], Shared::Cache(2)), [[0], [3]]);
        assert_eq!(groups(&all, Shared::Cache(3)), [[0, 1, 2, 3]]);
        assert!(groups(&all, Shared::Cache(4)).is_empty());
        assert!(groups(&[0, 7], Shared::Cache(1)).is_empty());
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn lists_are_ranges_and_numbers() {
        assert_eq!(parse_list("0-2,5\n"), Some(vec![0, 1, 2, 5]));
        assert_eq!(parse_list("\n"), Some(vec![]));
        assert_eq!(parse_list("0-x"), None);
        assert_eq!(parse_list("0-99999999999"), None);
    }
}
