use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::*;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// From here on every block of a mebibyte or more lies in a file; one test at a time, because there are
/// only so many files.
fn keep_nothing() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    limit::set(0, Path::new("/var/tmp")).expect("a directory on a disk");
    turn
}

fn lies_in_file<T>(block: &mut [T]) -> bool {
    files::has(block.as_mut_ptr().cast())
}

/// A sequence of numbers that is the same each time (xorshift).
fn numbers() -> impl Iterator<Item = usize> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 32).expect("32 bits")
    })
}

#[test]
fn large_blocks_lie_in_files_and_small_ones_do_not() {
    let _turn = keep_nothing();
    let mut large = vec![7_u64; 1 << 20];
    let mut small = vec![7_u64; 1 << 10];
    assert!(lies_in_file(&mut large));
    assert!(!lies_in_file(&mut small));
    assert!(large.iter().all(|number| *number == 7));
    let start = large.as_mut_ptr().cast();
    drop(large);
    assert!(!files::has(start));
}

#[test]
fn where_a_file_system_cannot_reserve_zeros_are_written_so_that_there_is_room() {
    let path = std::env::temp_dir().join(format!("reportgen-zeros-{}", std::process::id()));
    let opened = File::options().read(true).write(true).create_new(true).open(&path);
    let file = OwnedFd::from(opened.expect("a file"));
    std::fs::remove_file(&path).expect("removed");
    files::write_zeros(&file, 0, 4_096).expect("written");
    let one = rustix::io::pwrite(&file, &[1], 4_095).expect("written");
    files::write_zeros(&file, 4_096, 100_000).expect("written");
    let there = rustix::fs::fstat(&file).expect("a file");
    assert_eq!((one, there.st_size), (1, 100_000));
    assert!(there.st_blocks * 512 >= 100_000, "{} blocks have room", there.st_blocks);
    let mut end = [7; 8_193];
    assert_eq!(rustix::io::pread(&file, &mut end, 4_095), Ok(end.len()));
    assert_eq!((end[0], end[1..].iter().all(|byte| *byte == 0)), (1, true));
}

#[test]
fn a_new_block_is_zero_after_another_was_given_up() {
    let _turn = keep_nothing();
    for _ in 0..8 {
        let mut block = vec![0_u8; 3 << 20];
        assert!(lies_in_file(&mut block));
        assert!(block.iter().all(|byte| *byte == 0));
        block.fill(0xff);
    }
}

#[test]
fn blocks_keep_what_is_in_them_while_they_grow_shrink_and_are_let_go() {
    let _turn = keep_nothing();
    let mut numbers = numbers();
    let mut blocks: Vec<(Vec<u32>, usize)> = vec![(Vec::new(), 0); 12];
    for round in 0..400 {
        let (place, length) = (numbers.next().expect("endless"), numbers.next().expect("endless"));
        let places = blocks.len();
        let (block, seed) = &mut blocks[place % places];
        let length = length % 900_000;
        let value =
            |seed: usize, index: usize| u32::try_from((seed * 31 + index) % 65_521).expect("small");
        match round % 5 {
            0 => {
                *seed = round;
                *block = (0..length).map(|index| value(round, index)).collect();
            }
            1 => {
                block.truncate(length);
                block.shrink_to_fit();
            }
            2 => block.extend((block.len()..length).map(|index| value(*seed, index))),
            3 => files::drop_pages(),
            _ => block.reserve(length),
        }
        let (block, seed) = &blocks[place % places];
        let changed = (0..block.len()).find(|index| block[*index] != value(*seed, *index));
        assert_eq!(changed, None, "round {round}");
    }
}

#[test]
fn threads_use_files_at_the_same_time() {
    let _turn = keep_nothing();
    std::thread::scope(|scope| {
        for thread in 0_u64..4 {
            scope.spawn(move || {
                for round in 0..40 {
                    let length = 200_000 + round * 7_919;
                    let block: Vec<u64> = (0..length).map(|index| index * thread).collect();
                    let sum: u64 = block.iter().sum();
                    assert_eq!(sum, thread * (length - 1) * length / 2);
                }
            });
        }
    });
}

#[test]
fn more_blocks_than_files_stay_in_memory_and_are_counted() {
    let _turn = keep_nothing();
    let before = beyond();
    let mut blocks: Vec<Vec<u8>> = (0..600).map(|_| vec![1; 1 << 20]).collect();
    let in_files = blocks.iter_mut().filter_map(|block| lies_in_file(block).then_some(())).count();
    assert!((400..=512).contains(&in_files), "{in_files}");
    let in_memory = (600 - in_files) as u64;
    assert!(beyond() - before >= in_memory << 20, "{} of {in_memory}", beyond() - before);
}

#[test]
fn a_directory_that_is_kept_in_memory_is_refused() {
    let refused = |path: &str| match limit::set(0, Path::new(path)) {
        Err(LimitError::InMemory(_)) => "in memory",
        Err(LimitError::Directory(..)) => "no file",
        Err(LimitError::System | LimitError::Usage(_)) => "system",
        Ok(()) => "taken",
    };
    assert_eq!(refused("/dev/shm"), "in memory");
    assert_eq!(refused("/no/such/directory"), "no file");
    assert_eq!(refused("/proc/self"), "no file");
}
