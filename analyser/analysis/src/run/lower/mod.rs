//! Lowers a [`Module`] to a [`Program`]: functions are inlined, vectors and structures are taken apart into numbers.

use std::{collections::HashMap, ops::Range, rc::Rc};

use self::{
    builtins::{Arguments, Lowered},
    pieces::Scalar,
};
use super::{
    Block, BlockId, Counted, Edge, End, Instruction, Object, ObjectKind, Operation, Program,
    Refusal, Slot, memory::TABLES, reconvergence,
};
use crate::llvm::{self, Function, Module, Space, Symbol, Type, TypeId};

mod aliases;
mod atomics;
mod builtins;
mod by_value;
mod calls;
mod constants;
mod convert;
mod flow;
mod geometric;
mod instructions;
mod integers;
mod intrinsics;
mod mangled;
mod math;
mod memory;
mod pieces;
mod relational;
mod vector_access;
mod vectors;

pub(crate) use mangled::Mangled;
use pieces::Piece;

/// The deepest nesting of calls; OpenCL C has no recursion.
const DEEPEST: usize = 32;
/// The most instructions with all functions inlined: a hostile program's double with each call.
const MOST_INSTRUCTIONS: usize = 1 << 20;
/// The most registers of a lane.
const MOST_SLOTS: u32 = 1 << 22;

/// Makes a program of the kernel of this name.
///
/// # Errors
/// There is no such kernel, or it can't be taken apart: recursion, arrays of a size only known when it runs.
pub fn lower(module: &Module, kernel: &str) -> Result<Program, Refusal> {
    let Some(Symbol::Function(place)) = module.symbols.get(kernel) else {
        return Err(Refusal::new(format!("there is no kernel `{kernel}`")));
    };
    let mut lowering = Lowering::new(module);
    lowering.program.kernel = kernel.to_owned();
    let arguments = lowering.kernel_arguments(&module.functions[*place])?;
    lowering.inline(*place, &arguments, None)?;
    let mut program = lowering.finish();
    aliases::resolve(&mut program);
    by_value::constants(&mut program);
    reconvergence::find_reconvergence(&mut program)?;
    Ok(program)
}

struct Lowering<'m> {
    module: &'m Module,
    program: Program,
    /// LLVM's instructions of each block by name: their number, and the bytes that they access.
    counted: Vec<HashMap<u32, (u32, u64)>>,
    /// Slots that hold a constant, by its bits.
    constants: HashMap<u64, Slot>,
    names: HashMap<String, u32>,
    locations: HashMap<u32, Option<u32>>,
    pieces: HashMap<TypeId, Rc<[Piece]>>,
    /// Addresses of variables outside functions, by name.
    globals: HashMap<String, Slot>,
    /// Functions being inlined, outermost first.
    within: Vec<usize>,
    instructions: usize,
    /// The block that instructions are added to.
    block: BlockId,
    /// Place in the source of the instructions that are added.
    location: Option<u32>,
}

/// Values that phis take over, by their block and the block before it.
type Phis<'m> = HashMap<(llvm::BlockId, llvm::BlockId), Vec<(llvm::Local, &'m llvm::Value)>>;

/// A function being inlined.
struct Frame<'m> {
    function: &'m Function,
    /// Slots of each local.
    locals: Vec<Range<u32>>,
    /// The block that the function's first becomes; the others follow.
    first_block: u32,
    phis: Phis<'m>,
    /// The block that it returns to, and the slots for what it returns.
    back: Option<(BlockId, Range<u32>)>,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module) -> Self {
        Self {
            module,
            program: Program::default(),
            counted: Vec::new(),
            constants: HashMap::new(),
            names: HashMap::new(),
            locations: HashMap::new(),
            pieces: HashMap::new(),
            globals: HashMap::new(),
            within: Vec::new(),
            instructions: 0,
            block: BlockId(0),
            location: None,
        }
    }

    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal {
            location: self
                .location
                .map(|place| self.program.locations[place as usize].clone()),
            reason: reason.into(),
        })
    }

    /// Makes `count` new slots, side by side.
    fn slots(&mut self, count: usize) -> Result<Range<u32>, Refusal> {
        let start = self.program.slots;
        let end = u32::try_from(count)
            .ok()
            .and_then(|count| start.checked_add(count));
        match end {
            Some(end) if end <= MOST_SLOTS => {
                self.program.slots = end;
                Ok(start..end)
            }
            _ => self.refuse(format!("more than {MOST_SLOTS} registers")),
        }
    }

    fn slot(&mut self) -> Result<Slot, Refusal> {
        Ok(Slot(self.slots(1)?.start))
    }

    /// A slot that holds these bits.
    fn constant(&mut self, bits: u64) -> Result<Slot, Refusal> {
        if let Some(slot) = self.constants.get(&bits) {
            return Ok(*slot);
        }
        let slot = self.slot()?;
        self.constants.insert(bits, slot);
        self.program.constants.push((slot, bits));
        Ok(slot)
    }

    fn new_block(&mut self) -> BlockId {
        let id = BlockId(u32::try_from(self.program.blocks.len()).unwrap_or(u32::MAX));
        self.program.blocks.push(Block {
            instructions: Vec::new(),
            end: End::Return,
            counted: Vec::new(),
            meets: None,
            meets_in_loops: Vec::new(),
        });
        self.counted.push(HashMap::new());
        id
    }

    fn emit(&mut self, operation: Operation, operands: Vec<Slot>, results: Vec<Slot>) {
        let block = self.block.0 as usize;
        self.program.blocks[block].instructions.push(Instruction {
            operation,
            results,
            operands,
            location: self.location,
        });
    }

    /// Adds an instruction with one result, in a new slot.
    fn make(&mut self, operation: Operation, operands: Vec<Slot>) -> Result<Slot, Refusal> {
        let result = self.slot()?;
        self.emit(operation, operands, vec![result]);
        Ok(result)
    }

    /// Makes an operation on each number.
    fn make_each(
        &mut self,
        numbers: &[Slot],
        operation: impl Fn() -> Operation,
    ) -> Result<Vec<Slot>, Refusal> {
        let make = |number: &Slot| self.make(operation(), vec![*number]);
        numbers.iter().map(make).collect()
    }

    /// Makes an operation on each pair of numbers.
    fn make_pairs(
        &mut self,
        (a, b): (&[Slot], &[Slot]),
        operation: impl Fn() -> Operation,
    ) -> Result<Vec<Slot>, Refusal> {
        let pairs = a.iter().zip(b);
        let make = |(a, b): (&Slot, &Slot)| self.make(operation(), vec![*a, *b]);
        pairs.map(make).collect()
    }

    fn copy(&mut self, to: &Range<u32>, from: &[Slot]) {
        for (to, from) in to.clone().zip(from) {
            self.emit(Operation::Copy, vec![*from], vec![Slot(to)]);
        }
    }

    fn end(&mut self, end: End) {
        let block = self.block.0 as usize;
        self.program.blocks[block].end = end;
    }

    /// Counts an LLVM instruction in the block.
    fn count(&mut self, name: &str, bytes: u64) {
        let next = u32::try_from(self.program.names.len()).unwrap_or(u32::MAX);
        let name = match self.names.get(name) {
            Some(name) => *name,
            None => {
                self.names.insert(name.to_owned(), next);
                self.program.names.push(name.to_owned());
                next
            }
        };
        let counted = self.counted[self.block.0 as usize].entry(name).or_default();
        counted.0 += 1;
        counted.1 += bytes;
    }

    fn locate(&mut self, number: Option<u32>) {
        let Some(number) = number else {
            self.location = None;
            return;
        };
        let next = u32::try_from(self.program.locations.len()).unwrap_or(u32::MAX);
        let (module, locations) = (self.module, &mut self.program.locations);
        self.location = *self.locations.entry(number).or_insert_with(|| {
            let location = module.locations.get(number)?;
            locations.push(location);
            Some(next)
        });
    }

    /// The address of a table or a local array outside functions. Only those that this kernel uses get one, since other
    /// kernels of the source have theirs.
    fn global(&mut self, name: &str) -> Result<Slot, Refusal> {
        if let Some(address) = self.globals.get(name) {
            return Ok(*address);
        }
        let module = self.module;
        let Some(Symbol::Global(place)) = module.symbols.get(name) else {
            return self.refuse(format!("`{name}` has no address"));
        };
        let global = &module.globals[*place];
        let (Ok(layout), Some(space)) = (
            module.types.layout(global.ty),
            Space::numbered(global.space),
        ) else {
            return self.refuse(format!("`{name}` has no address"));
        };
        let address = self.slot()?;
        let align = layout.align.max(global.align).clamp(1, 1 << 12);
        let name = name.to_owned();
        let (kind, space, place) = if space == Space::Local {
            let offset = self.program.local_bytes.next_multiple_of(align);
            self.program.local_bytes = offset.saturating_add(layout.size);
            if self.program.local_bytes > 1 << 30 {
                return self.refuse("more than 1 GiB of local memory");
            }
            let bytes = layout.size;
            let kind = ObjectKind::Local {
                name: name.clone(),
                offset,
                bytes,
            };
            (kind, Space::Local, offset)
        } else {
            let holds = self.table(global, layout.size)?;
            let place = (TABLES + self.program.objects.len() as u64) << super::BUFFER_SHIFT;
            let name = name.clone();
            (ObjectKind::Table { name, holds }, Space::Constant, place)
        };
        self.program.constants.push((address, place));
        self.program.objects.push(Object {
            kind,
            space,
            address,
        });
        self.globals.insert(name, address);
        Ok(address)
    }

    fn kernel_arguments(&mut self, kernel: &Function) -> Result<Vec<Vec<Slot>>, Refusal> {
        let mut all = Vec::new();
        for (place, argument) in kernel.arguments.iter().enumerate() {
            let pieces = self.pieces(argument.ty)?.len();
            let slots = self.slots(pieces)?;
            let own: Vec<Slot> = slots.clone().map(Slot).collect();
            let first = own.first().copied();
            if let (Some(ty), Some(address)) = (argument.by_value, first) {
                let offset = self.private(ty)?.0;
                self.program.constants.push((address, offset));
                self.program.objects.push(Object {
                    kind: ObjectKind::ByValue {
                        argument: place,
                        offset,
                    },
                    space: Space::Private,
                    address,
                });
                self.program.arguments.push(0..0);
            } else {
                if let (Type::Pointer { space, .. }, Some(address)) =
                    (self.module.types.get(argument.ty), first)
                    && let Some(space) = Space::numbered(*space)
                {
                    self.program.objects.push(Object {
                        kind: ObjectKind::Argument(place),
                        space,
                        address,
                    });
                }
                self.program.arguments.push(slots);
            }
            all.push(own);
        }
        Ok(all)
    }

    /// Reserves private memory: offset and number of bytes.
    fn private(&mut self, ty: TypeId) -> Result<(u64, u64), Refusal> {
        match self.module.types.layout(ty) {
            Ok(layout) => self.private_bytes(layout.size, layout.align),
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn private_bytes(&mut self, bytes: u64, align: u64) -> Result<(u64, u64), Refusal> {
        let offset = self.program.private_bytes.next_multiple_of(align.max(1));
        let end = offset.saturating_add(bytes);
        if end > 1 << 24 {
            return self.refuse("more than 16 MiB of private memory");
        }
        self.program.private_bytes = end;
        Ok((offset, bytes))
    }

    fn finish(self) -> Program {
        let mut program = self.program;
        for (block, counted) in program.blocks.iter_mut().zip(self.counted) {
            let counted =
                counted
                    .into_iter()
                    .map(|(name, (count, bytes))| Counted { name, count, bytes });
            block.counted = counted.collect();
            block.counted.sort_by_key(|counted| counted.name);
        }
        program
    }
}

/// An edge without copies.
fn edge(to: BlockId) -> Edge {
    Edge {
        to,
        copies: Vec::new(),
    }
}
