//! A cache in a folder of its own.

use super::*;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("clotho-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder::prepare(&folder).expect("the temporary folder is writable");
        Scratch(folder)
    }

    fn cache(&self, limit: u64) -> Cache {
        Cache::new(self.0.clone(), limit)
    }

    fn entries(&self) -> Vec<PathBuf> {
        let list = |folder: &Path| -> Vec<PathBuf> {
            let list = fs::read_dir(folder).expect("readable");
            list.map(|file| file.expect("readable").path()).collect()
        };
        let folders = list(&self.0).into_iter().filter(|path| path.is_dir());
        folders.flat_map(|folder| list(&folder)).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key(n: usize) -> Key {
    Key::of_text("test").part(n)
}

#[test]
fn entries_come_back_and_are_private() {
    let scratch = Scratch::new("private");
    let cache = scratch.cache(1 << 20);
    assert_eq!(cache.get(&key(0)), None);
    cache.put(&key(0), b"payload");
    assert_eq!(cache.get(&key(0)).as_deref(), Some(&b"payload"[..]));
    assert_eq!(cache.get(&key(1)), None);
    let mode = |path: &Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    let entries = scratch.entries();
    assert_eq!(mode(&entries[0]), 0o600);
    assert_eq!(mode(entries[0].parent().expect("in a folder")), 0o700);
    assert_eq!(mode(&scratch.0), 0o700);
}

#[test]
fn damaged_entries_go_and_are_replaced() {
    let scratch = Scratch::new("damaged");
    let cache = scratch.cache(1 << 20);
    cache.put(&key(0), b"payload");
    let path = scratch.entries().remove(0);
    let good = fs::read(&path).expect("readable");
    for cut in 0..good.len() {
        let mut bad = good.clone();
        bad[cut] ^= 1;
        for bytes in [&good[..cut], &bad] {
            fs::write(&path, bytes).expect("writable");
            assert_eq!(cache.get(&key(0)), None);
            assert!(!path.exists());
        }
    }
    cache.put(&key(0), b"payload");
    assert!(cache.get(&key(0)).is_some());
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let scratch = Scratch::new("bound");
    let cache = scratch.cache(10_000);
    for n in 0..9 {
        cache.put(&key(n), &[0; 1000]);
        let age = Duration::from_secs(1000 - n as u64);
        let file = File::open(cache.path(&key(n))).expect("it is there");
        file.set_modified(SystemTime::now() - age)
            .expect("it is ours");
    }
    assert!(cache.get(&key(0)).is_some(), "now used last");
    for n in 9..12 {
        cache.put(&key(n), &[0; 1000]);
        let entries = scratch.entries().into_iter();
        let sizes = entries.map(|path| fs::metadata(path).expect("it is there").len());
        assert!(sizes.sum::<u64>() <= 10_000);
    }
    assert!(cache.get(&key(0)).is_some());
    assert!(cache.get(&key(1)).is_none());
    assert!(cache.get(&key(11)).is_some());
}

#[test]
fn an_entry_that_is_too_big_is_not_stored() {
    let scratch = Scratch::new("big");
    let cache = scratch.cache(10_000);
    cache.put(&key(0), &[0; 5000]);
    assert_eq!(cache.get(&key(0)), None);
    assert!(scratch.entries().is_empty());
}

#[test]
fn folders_that_others_may_write_to_are_refused() {
    let scratch = Scratch::new("writable");
    let chmod = |mode| {
        fs::set_permissions(&scratch.0, fs::Permissions::from_mode(mode)).expect("it is ours");
        folder::prepare(&scratch.0)
    };
    assert!(chmod(0o777).is_err());
    assert!(chmod(0o720).is_err());
    assert!(chmod(0o755).is_ok());
    let file = scratch.0.join("file");
    fs::write(&file, "").expect("writable");
    assert!(folder::prepare(&file).is_err());
    assert!(folder::prepare(&file.join("below")).is_err());
}

#[test]
fn a_folder_that_is_gone_does_no_harm() {
    let scratch = Scratch::new("gone");
    let cache = scratch.cache(1 << 20);
    fs::remove_dir_all(&scratch.0).expect("it is ours");
    cache.put(&key(0), b"payload");
    assert_eq!(cache.get(&key(0)), None);
}
