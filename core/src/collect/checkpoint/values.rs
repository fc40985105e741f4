//! The numbers of a safetensors file, looked through for those that no trained model has.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::model::{OddTensor, ShardHeader, Tensor, WeightScan};

/// Bytes read at once; a multiple of every element's size.
const BLOCK: usize = 1 << 20;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberClass {
    Zero,
    Finite,
    Infinite,
    Nan,
}

/// Tensors with NaN, infinities or nothing but zeros, in a file of `bytes` bytes. Tensors that do not
/// lie in the file as a whole, and types without such values, are passed over.
pub(super) fn scan(place: &Path, header: &ShardHeader, bytes: u64) -> io::Result<WeightScan> {
    let mut file = File::open(place)?;
    let data = bytes.saturating_sub(header.data_start);
    let mut found = WeightScan::default();
    for tensor in &header.tensors {
        let Some(element) = Element::by_dtype(&tensor.dtype) else { continue };
        let length = tensor.end.checked_sub(tensor.start);
        if length.is_none() || tensor.bytes_expected() != length || tensor.end > data {
            continue;
        }
        file.seek(SeekFrom::Start(header.data_start + tensor.start))?;
        let odd = tally(&mut file, tensor, element)?;
        found.elements += odd.elements;
        if odd.nan > 0 || odd.infinite > 0 || (odd.only_zeros && odd.elements > 0) {
            found.odd.push(odd);
        }
    }
    Ok(found)
}

fn tally(file: &mut File, tensor: &Tensor, element: Element) -> io::Result<OddTensor> {
    let mut odd = OddTensor {
        tensor: tensor.name.clone(),
        nan: 0,
        infinite: 0,
        only_zeros: true,
        elements: tensor.elements().unwrap_or(0),
    };
    let mut left = tensor.end - tensor.start;
    let mut block = vec![0; BLOCK];
    while left > 0 {
        let take = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        let Some(part) = block.get_mut(..take) else { break };
        file.read_exact(part)?;
        for bytes in part.chunks_exact(element.bytes()) {
            match element.kind(bytes) {
                NumberClass::Zero => {}
                NumberClass::Finite => odd.only_zeros = false,
                NumberClass::Infinite => (odd.infinite, odd.only_zeros) = (odd.infinite + 1, false),
                NumberClass::Nan => (odd.nan, odd.only_zeros) = (odd.nan + 1, false),
            }
        }
        left -= take as u64;
    }
    Ok(odd)
}

/// A floating-point type: IEEE 754 with that many bits of exponent and mantissa.
#[derive(Debug, Clone, Copy)]
struct Element {
    exponent: u32,
    mantissa: u32,
    /// Whether the largest exponent means infinity and NaN, as in IEEE 754. `F8_E4M3` has no
    /// infinity, and one NaN: all bits of exponent and mantissa set.
    has_infinity: bool,
}

impl Element {
    fn by_dtype(dtype: &str) -> Option<Self> {
        let (exponent, mantissa, has_infinity) = match dtype {
            "F64" => (11, 52, true),
            "F32" => (8, 23, true),
            "BF16" => (8, 7, true),
            "F16" => (5, 10, true),
            "F8_E5M2" => (5, 2, true),
            "F8_E4M3" => (4, 3, false),
            _ => return None,
        };
        Some(Self { exponent, mantissa, has_infinity })
    }

    fn bytes(self) -> usize {
        (1 + self.exponent + self.mantissa) as usize / 8
    }

    fn kind(self, bytes: &[u8]) -> NumberClass {
        let bits = bytes.iter().rev().fold(0_u64, |bits, &byte| (bits << 8) | u64::from(byte));
        let magnitude = bits & ((1 << (self.exponent + self.mantissa)) - 1);
        let mantissa = magnitude & ((1 << self.mantissa) - 1);
        let exponent = magnitude >> self.mantissa;
        let is_largest = exponent == (1 << self.exponent) - 1;
        let all_set = mantissa == (1 << self.mantissa) - 1;
        match (is_largest, self.has_infinity) {
            _ if magnitude == 0 => NumberClass::Zero,
            (true, true) if mantissa == 0 => NumberClass::Infinite,
            (true, true) => NumberClass::Nan,
            (true, false) if all_set => NumberClass::Nan,
            _ => NumberClass::Finite,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(dtype: &str, bytes: &[u8]) -> NumberClass {
        Element::by_dtype(dtype).expect("a type with NaN").kind(bytes)
    }

    #[test]
    fn every_type_knows_its_zero_infinity_and_nan() {
        for (dtype, bytes, expected) in [
            ("F64", f64::NAN.to_le_bytes().to_vec(), NumberClass::Nan),
            ("F64", f64::NEG_INFINITY.to_le_bytes().to_vec(), NumberClass::Infinite),
            ("F64", f64::MIN_POSITIVE.to_le_bytes().to_vec(), NumberClass::Finite),
            ("F32", (-0.0_f32).to_le_bytes().to_vec(), NumberClass::Zero),
            ("F32", f32::MAX.to_le_bytes().to_vec(), NumberClass::Finite),
            ("F32", f32::NAN.to_le_bytes().to_vec(), NumberClass::Nan),
            // OCP 8-bit floating point, revision 1.0, table 1; bfloat16 and IEEE 754 binary16.
            ("BF16", vec![0x80, 0x7f], NumberClass::Infinite),
            ("BF16", vec![0xc0, 0x7f], NumberClass::Nan),
            ("BF16", vec![0x7f, 0x7f], NumberClass::Finite),
            ("F16", vec![0x00, 0xfc], NumberClass::Infinite),
            ("F16", vec![0x01, 0x7c], NumberClass::Nan),
            ("F16", vec![0xff, 0x7b], NumberClass::Finite),
            ("F8_E5M2", vec![0x7c], NumberClass::Infinite),
            ("F8_E5M2", vec![0xff], NumberClass::Nan),
            ("F8_E4M3", vec![0x7e], NumberClass::Finite),
            ("F8_E4M3", vec![0x7f], NumberClass::Nan),
            ("F8_E4M3", vec![0x80], NumberClass::Zero),
        ] {
            assert_eq!(kind(dtype, &bytes), expected, "{dtype} {bytes:x?}");
        }
    }
}
