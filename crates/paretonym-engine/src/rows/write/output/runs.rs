//! Small numbers as Parquet stores them: runs of one number, and numbers of a few bits each.

/// Which rows have a value, behind the length of what says so.
pub(super) fn write_presence(rows: &[u32], values: usize, present: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    if present == rows.len() {
        write_run(rows.len(), 1, 1, out);
    } else {
        write_packed(rows.iter().map(|number| u32::from((*number as usize) < values)), rows.len(), 1, out);
    }
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Positions, which are all the same where there is a single value.
pub(super) fn write_positions(positions: &[u32], width: u32, single: bool, out: &mut Vec<u8>) {
    match single {
        true => write_run(positions.len(), 0, width, out),
        false => write_packed(positions.iter().copied(), positions.len(), width, out),
    }
}

/// The same number many times.
fn write_run(count: usize, number: u32, width: u32, out: &mut Vec<u8>) {
    write_length((count as u64) << 1, out);
    out.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Numbers of `width` bits each, the lowest bit first, filled up to a multiple of eight numbers.
fn write_packed(numbers: impl Iterator<Item = u32>, count: usize, width: u32, out: &mut Vec<u8>) {
    let groups = count.div_ceil(8);
    write_length((groups as u64) << 1 | 1, out);
    let end = out.len() + groups * width as usize;
    let (mut bits, mut held) = (0u64, 0);
    for number in numbers {
        bits |= u64::from(number) << held;
        held += width;
        if held >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            held -= 32;
        }
    }
    out.extend_from_slice(&bits.to_le_bytes()[..held.div_ceil(8) as usize]);
    out.resize(end, 0);
}

/// A number in as few bytes as it needs, seven bits each.
fn write_length(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
