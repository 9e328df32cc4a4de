//! OpenCL C's built-in functions.

use super::{Lowering, integers, mangled::Mangled, math, pieces::Scalar};
use crate::{
    llvm::{Binary, Type, TypeId},
    run::{AccessKind, Id, Operation, Part, Real, Refusal, Slot},
};

type Arguments<'a> = &'a [(TypeId, Vec<Slot>)];
type Made = Result<Option<Vec<Slot>>, Refusal>;

impl Lowering<'_> {
    /// None where it is not known.
    pub(super) fn builtin(
        &mut self,
        name: Mangled<'_>,
        arguments: Arguments<'_>,
        of: Option<TypeId>,
    ) -> Made {
        if matches!(name.name, "barrier" | "work_group_barrier") {
            self.emit(Operation::Barrier, Vec::new(), Vec::new());
            return Ok(Some(Vec::new()));
        }
        if matches!(
            name.name,
            "mem_fence" | "read_mem_fence" | "write_mem_fence" | "prefetch" | "wait_group_events"
        ) {
            return Ok(Some(Vec::new()));
        }
        if let Some(id) = id(name.name) {
            let dimension = match arguments {
                [(_, dimension)] => self.one(dimension)?,
                _ => self.constant(0)?,
            };
            return Ok(Some(vec![
                self.make(Operation::Place(id), vec![dimension])?,
            ]));
        }
        if let Some(made) = self.atomic_call(&name, arguments, of)? {
            return Ok(Some(made));
        }
        if name.name.starts_with("vload") || name.name.starts_with("vstore") {
            return self.vector_access(&name, arguments, of);
        }
        let Some(of) = of else { return Ok(None) };
        if let [(_, numbers)] = arguments
            && let Some(made) = self.convert(&name, numbers)?
        {
            return Ok(Some(made));
        }
        if let [(from, numbers)] = arguments
            && name.name.starts_with("as_")
        {
            let from: Vec<Scalar> = self
                .pieces(*from)?
                .iter()
                .map(|piece| piece.scalar)
                .collect();
            let to: Vec<Scalar> = self.pieces(of)?.iter().map(|piece| piece.scalar).collect();
            return Ok(Some(self.same_bits(&from, &to, numbers)?));
        }
        if let Some(made) = self.relational(&name, arguments, of)? {
            return Ok(Some(made));
        }
        match (name.name, arguments) {
            ("shuffle" | "shuffle2", [from @ .., mask]) if !from.is_empty() => {
                return self.shuffle(from, mask);
            }
            ("bitselect", _) => {
                let select = |bits| Operation::Whole3(integers::bit_select, bits);
                return self.whole_by(of, arguments, select);
            }
            _ => {}
        }
        if name.is_real() {
            if let Some(made) = self.geometric(&name, arguments)? {
                return Ok(Some(made));
            }
            if let ("ilogb", [(_, numbers)]) = (name.name, arguments) {
                let real = math::real(name.letter()).unwrap_or(Real::Double);
                let exponent = |this: &mut Self, number: &Slot| {
                    let rounded = Operation::Round(real, math::exponent, 32, true);
                    this.make(rounded, vec![*number])
                };
                let made: Result<Vec<Slot>, Refusal> =
                    numbers.iter().map(|it| exponent(self, it)).collect();
                return made.map(Some);
            }
            if let ("pown" | "rootn" | "ldexp", [one, (whole, numbers)]) = (name.name, arguments) {
                let real = math::real(name.letter()).unwrap_or(Real::Double);
                let mut exponents = Vec::new();
                for number in numbers {
                    let number =
                        self.make(Operation::FromInteger(32, true, real), vec![*number])?;
                    exponents.push(number);
                }
                let both = [one.clone(), (*whole, exponents)];
                return self.math(name.name, of, &both);
            }
            return self.math(name.name, of, arguments);
        }
        self.whole(name.name, name.is_signed(), of, arguments)
    }

    /// A function of whole numbers, of each element by itself.
    pub(super) fn whole(
        &mut self,
        name: &str,
        signed: bool,
        of: TypeId,
        arguments: Arguments<'_>,
    ) -> Made {
        let pick = |with: fn(u64, u64, u32) -> u64, without: fn(u64, u64, u32) -> u64| {
            if signed { with } else { without }
        };
        match arguments.len() {
            1 => {
                let function = match name {
                    "abs" if signed => integers::abs,
                    "abs" => return Ok(arguments.first().map(|(_, slots)| slots.clone())),
                    "popcount" => integers::popcount,
                    "clz" => integers::leading_zeros,
                    "ctz" => integers::trailing_zeros,
                    "bswap" => integers::swap_bytes,
                    "bitreverse" => integers::reverse_bits,
                    _ => return Ok(None),
                };
                self.whole_by(of, arguments, |bits| Operation::Whole1(function, bits))
            }
            2 => {
                let function = match name {
                    "min" => pick(integers::smin, integers::umin),
                    "max" => pick(integers::smax, integers::umax),
                    "abs_diff" => pick(integers::abs_diff_signed, integers::abs_diff),
                    "rotate" => integers::rotate,
                    "mul_hi" => pick(integers::mul_high_signed, integers::mul_high),
                    "mul24" => integers::mul24,
                    "hadd" => pick(integers::hadd_signed, integers::hadd),
                    "rhadd" => pick(integers::rhadd_signed, integers::rhadd),
                    "add_sat" => pick(integers::add_saturated_signed, integers::add_saturated),
                    "upsample" => return self.upsample(of, arguments),
                    "sub_sat" => pick(integers::sub_saturated_signed, integers::sub_saturated),
                    _ => return Ok(None),
                };
                self.whole_by(of, arguments, |bits| Operation::Whole2(function, bits))
            }
            3 => {
                let function = match name {
                    "clamp" if signed => integers::sclamp,
                    "clamp" => integers::uclamp,
                    "fshl" => integers::funnel_left,
                    "fshr" => integers::funnel_right,
                    "mad24" => integers::mad24,
                    "mad_hi" if signed => integers::mad_high_signed,
                    "mad_hi" => integers::mad_high,
                    "mad_sat" if signed => integers::mad_saturated_signed,
                    "mad_sat" => integers::mad_saturated,
                    _ => return Ok(None),
                };
                self.whole_by(of, arguments, |bits| Operation::Whole3(function, bits))
            }
            _ => Ok(None),
        }
    }

    /// The upper half beside the lower.
    fn upsample(&mut self, of: TypeId, arguments: Arguments<'_>) -> Made {
        let [(_, high), (_, low)] = arguments else {
            return Ok(None);
        };
        let bits = self.pieces(of)?.first().map_or(64, |it| it.scalar.bits());
        let half = self.constant(u64::from(bits / 2))?;
        let mut made = Vec::new();
        for (high, low) in high.iter().zip(low) {
            let low = self.make(Operation::Mask(bits / 2), vec![*low])?;
            let high = self.make(Operation::Integer(Binary::Shl, bits), vec![*high, half])?;
            made.push(self.make(Operation::Integer(Binary::Or, bits), vec![high, low])?);
        }
        Ok(Some(made))
    }

    /// Elements in the order that another vector's lowest bits say.
    fn shuffle(&mut self, from: Arguments<'_>, mask: &(TypeId, Vec<Slot>)) -> Made {
        let elements: Vec<Slot> = from.iter().flat_map(|(_, slots)| slots).copied().collect();
        let (mask, places) = mask;
        let bits = self
            .pieces(*mask)?
            .first()
            .map_or(64, |it| it.scalar.bits());
        let last = self.constant(elements.len().saturating_sub(1) as u64)?;
        let mut made = Vec::new();
        for place in places {
            let mut known = self.program.constants.iter();
            let known = known
                .find(|(slot, _)| slot == place)
                .map(|(_, place)| *place);
            let known = known.and_then(|it| usize::try_from(it).ok()?.checked_rem(elements.len()));
            if let Some(place) = known {
                made.push(elements[place]);
                continue;
            }
            let place = self.make(Operation::Integer(Binary::And, bits), vec![*place, last])?;
            let operands = std::iter::once(place).chain(elements.iter().copied());
            made.push(self.make(Operation::Pick, operands.collect())?);
        }
        Ok(Some(made))
    }

    /// `select`, `isless`, `any` and their kind.
    fn relational(&mut self, name: &Mangled<'_>, arguments: Arguments<'_>, of: TypeId) -> Made {
        let pieces = self.pieces(of)?;
        let is_vector = matches!(self.module.types.get(of), Type::Vector { .. });
        match (name.name, arguments) {
            ("select", [(_, other), (_, then), (by, condition)]) => {
                let bits = self
                    .pieces(*by)?
                    .first()
                    .map_or(64, |piece| piece.scalar.bits());
                let test = if is_vector {
                    integers::is_negative
                } else {
                    integers::is_set
                };
                let mut set = Vec::new();
                for slot in condition {
                    set.push(match self.sign_extended(*slot) {
                        Some(bit) => bit,
                        None => self.make(Operation::Whole1(test, bits), vec![*slot])?,
                    });
                }
                Ok(Some(self.select(&set, then, other)?))
            }
            ("any" | "all", [(by, numbers)]) => {
                let bits = self
                    .pieces(*by)?
                    .first()
                    .map_or(64, |piece| piece.scalar.bits());
                let op = if name.name == "any" {
                    Binary::Or
                } else {
                    Binary::And
                };
                let mut all: Option<Slot> = None;
                for number in numbers {
                    let negative = Operation::Whole1(integers::is_negative, bits);
                    let one = self.make(negative, vec![*number])?;
                    all = Some(match all {
                        None => one,
                        Some(all) => self.make(Operation::Integer(op, 1), vec![all, one])?,
                    });
                }
                Ok(all.map(|all| vec![all]))
            }
            (_, [(_, a), rest @ ..]) => {
                let Some(real) = math::real(name.letter()) else {
                    return Ok(None);
                };
                let (one, two) = (math::test_one(name.name), math::test_two(name.name));
                let mut made = Vec::new();
                for (place, piece) in pieces.iter().enumerate() {
                    let mut operands: Vec<Slot> = a.get(place).copied().into_iter().collect();
                    let operation = match (one, two, rest) {
                        (Some(test), _, []) => Operation::Test1(test, real),
                        (_, Some(test), [(_, b)]) => {
                            operands.extend(b.get(place));
                            Operation::Test2(test, real)
                        }
                        _ => return Ok(None),
                    };
                    let is = self.make(operation, operands)?;
                    // Of vectors true is all ones.
                    made.push(if is_vector {
                        self.make(
                            Operation::SignExtend(1, piece.scalar.bits().min(64)),
                            vec![is],
                        )?
                    } else {
                        is
                    });
                }
                Ok(Some(made))
            }
            _ => Ok(None),
        }
    }

    /// The bit of which this block has made a number's bits.
    fn sign_extended(&self, slot: Slot) -> Option<Slot> {
        let block = &self.program.blocks[self.block.0 as usize];
        let mut made = block.instructions.iter().rev();
        let made = made.find(|it| it.results.contains(&slot))?;
        match made.operation {
            Operation::SignExtend(1, _) => made.operands.first().copied(),
            _ => None,
        }
    }

    /// `dot`, `length` and their kind.
    fn geometric(&mut self, name: &Mangled<'_>, arguments: Arguments<'_>) -> Made {
        let Some(real) = math::real(name.letter()) else {
            return Ok(None);
        };
        Ok(Some(match (name.name, arguments) {
            ("dot", [(_, a), (_, b)]) => vec![self.dot(real, a, b)?],
            ("length" | "fast_length", [(_, a)]) => vec![self.length(real, a)?],
            ("distance" | "fast_distance", [(_, a), (_, b)]) => {
                let mut apart = Vec::new();
                for (a, b) in a.iter().zip(b) {
                    apart.push(self.make(Operation::Float(Binary::FSub, real), vec![*a, *b])?);
                }
                vec![self.length(real, &apart)?]
            }
            ("normalize" | "fast_normalize", [(_, a)]) => {
                let length = self.length(real, a)?;
                let one = self.constant(real.bits(1.0))?;
                let by = self.make(Operation::Float(Binary::FDiv, real), vec![one, length])?;
                let mut made = Vec::new();
                for a in a {
                    made.push(self.make(Operation::Float(Binary::FMul, real), vec![*a, by])?);
                }
                made
            }
            ("cross", [(_, a), (_, b)]) if a.len() >= 3 && b.len() == a.len() => {
                let mut made = Vec::new();
                for (left, right) in [(1, 2), (2, 0), (0, 1)] {
                    let multiply = || Operation::Float(Binary::FMul, real);
                    let one = self.make(multiply(), vec![a[left], b[right]])?;
                    let other = self.make(multiply(), vec![a[right], b[left]])?;
                    made.push(self.make(Operation::Float(Binary::FSub, real), vec![one, other])?);
                }
                made.resize(a.len(), self.constant(0)?);
                made
            }
            _ => return Ok(None),
        }))
    }

    fn dot(&mut self, real: Real, a: &[Slot], b: &[Slot]) -> Result<Slot, Refusal> {
        // Oclgrind sums in `float`s, from the first element on.
        let mut sum = self.constant(0)?;
        for (a, b) in a.iter().zip(b) {
            sum = self.make(
                Operation::Math3(math::multiply_add, real),
                vec![*a, *b, sum],
            )?;
        }
        Ok(sum)
    }

    fn length(&mut self, real: Real, a: &[Slot]) -> Result<Slot, Refusal> {
        let square = self.dot(real, a, a)?;
        self.make(Operation::Math1(f64::sqrt, real), vec![square])
    }

    /// `vload4(i, p)`, `vstore4(x, i, p)`, `vload_half`, …
    fn vector_access(
        &mut self,
        name: &Mangled<'_>,
        arguments: Arguments<'_>,
        of: Option<TypeId>,
    ) -> Made {
        let is_load = name.name.starts_with("vload");
        let (value, place, pointer) = match arguments {
            [(_, place), (pointer, base)] if is_load => (None, place, (*pointer, base)),
            [(value, numbers), (_, place), (pointer, base)] if !is_load => {
                (Some((*value, numbers)), place, (*pointer, base))
            }
            _ => return Ok(None),
        };
        let Some(value_type) = value.map(|(of, _)| of).or(of) else {
            return Ok(None);
        };
        let is_half = name.name.contains("_half");
        let (pieces, space) = (self.pieces(value_type)?, self.space(pointer.0)?);
        let Some(scalar) = pieces.first().map(|piece| piece.scalar) else {
            return Ok(None);
        };
        let bytes = if is_half {
            2
        } else {
            scalar.bits().div_ceil(8)
        };
        let lanes = pieces.len();
        // An aligned `half3` takes as much room as a `half4`; others are aligned as their elements are.
        let is_aligned = name.name.contains("loada_") || name.name.contains("storea_");
        let apart = if is_aligned {
            lanes.next_power_of_two()
        } else {
            lanes
        };
        let align = u64::from(bytes) * if is_aligned { apart as u64 } else { 1 };
        let step = i64::try_from(apart).unwrap_or(1).wrapping_mul(bytes.into());
        let (base, place) = (self.one(pointer.1)?, self.one(place)?);
        let address = self.make(Operation::Index(64, step), vec![base, place])?;
        let part = |place: usize| Part {
            offset: place as u64 * u64::from(bytes),
            bytes: u8::try_from(bytes.min(8)).unwrap_or(8),
        };
        let parts: Vec<Part> = (0..lanes).map(part).collect();
        let all = lanes as u64 * u64::from(bytes);
        let real = match scalar {
            Scalar::Real(real) => real,
            _ => Real::Half,
        };
        if let Some((_, numbers)) = value {
            let mut operands = vec![address];
            for number in numbers {
                operands.push(if is_half {
                    self.make(Operation::Resize(real, Real::Half), vec![*number])?
                } else {
                    *number
                });
            }
            let access = self.access(AccessKind::Store, space, all, parts);
            self.align(access, align);
            self.emit(Operation::Access(access), operands, Vec::new());
            return Ok(Some(Vec::new()));
        }
        let access = self.access(AccessKind::Load, space, all, parts);
        self.align(access, align);
        let results: Vec<Slot> = self.slots(lanes)?.map(Slot).collect();
        self.emit(Operation::Access(access), vec![address], results.clone());
        if !is_half {
            return Ok(Some(results));
        }
        let mut made = Vec::new();
        for number in results {
            made.push(self.make(Operation::Resize(Real::Half, real), vec![number])?);
        }
        Ok(Some(made))
    }
}

fn id(name: &str) -> Option<Id> {
    Some(match name {
        "get_global_id" => Id::GlobalId,
        "get_local_id" => Id::LocalId,
        "get_group_id" => Id::GroupId,
        "get_global_size" => Id::GlobalSize,
        "get_local_size" | "get_enqueued_local_size" => Id::LocalSize,
        "get_num_groups" => Id::NumGroups,
        "get_global_offset" => Id::GlobalOffset,
        "get_work_dim" => Id::WorkDim,
        "get_global_linear_id" => Id::GlobalLinearId,
        "get_local_linear_id" => Id::LocalLinearId,
        _ => return None,
    })
}
