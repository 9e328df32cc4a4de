//! Turns tiles into edits of the author's text.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Tile,
    fill::{Fill, Places},
    prove::ProvedTile,
    strip_head::{self, StripHead},
};
use crate::{
    ast::Type,
    localize::{
        Edit, Formulas, Reason, Renderer, Rewrite, Scope, Subject, behind_word,
        hoist::{self, Guarded},
        local_declaration,
    },
};

/// Writes tiles. Tiles that have no text, or whose guards conflict, leave the list and are refused. `ends`: whether the
/// kernel's end gets a barrier.
///
/// # Errors
/// Some work-items may not come to the kernel's end, which gets a barrier.
pub(crate) fn write(
    renderer: &Renderer<'_>,
    tiles: &mut Vec<ProvedTile>,
    ends: bool,
    rewrite: &mut Rewrite,
    mut refuse: impl FnMut(usize, Reason),
) -> Result<(), Reason> {
    let before = rewrite.clone();
    let mut texts = TileTexts::new(renderer, rewrite);
    tiles.retain(|one| {
        let added = texts.add(&one.tile, rewrite);
        added.map_err(|it| refuse(one.tile.array, it)).is_ok()
    });
    let is_guarded = tiles.iter().any(|one| one.is_guarded);
    match texts.put(ends, is_guarded, rewrite) {
        // Guards that are hoisted for one may be in the way of another.
        Err(reason) if is_guarded => {
            tiles.retain(|one| {
                if one.is_guarded {
                    refuse(one.tile.array, reason);
                }
                !one.is_guarded
            });
            *rewrite = before;
            let mut texts = TileTexts::new(renderer, rewrite);
            for one in tiles {
                texts.add(&one.tile, rewrite)?;
            }
            texts.put(ends, false, rewrite)
        }
        done => done,
    }
}

/// The tiles of a kernel as text.
struct TileTexts<'a> {
    renderer: Renderer<'a>,
    places: Places,
    by_scope: BTreeMap<Scope, Vec<TileText>>,
    strips: BTreeMap<Scope, StripLoop<'a>>,
}

/// A tile as text.
struct TileText {
    name: String,
    array: usize,
    element: Type,
    /// Lengths by dimension, padding included.
    lengths: Vec<i64>,
    declaration: String,
    /// Texts in the place of the accesses that it serves.
    served: Vec<(Range<usize>, String)>,
    /// Lines that fill it.
    fill: Vec<String>,
}

/// A loop over strips, around the author's own.
struct StripLoop<'a> {
    original: usize,
    length: i64,
    head: StripHead<'a>,
    /// The range of the author's loop.
    range: Range<usize>,
    /// Its first value.
    lower: String,
    /// Its variable: the first iteration of the strip.
    first: String,
}

impl<'a> TileTexts<'a> {
    fn new(renderer: &Renderer<'a>, rewrite: &mut Rewrite) -> Self {
        let mut place = |wanted: &str| rewrite.name(renderer.subject, wanted);
        Self {
            renderer: renderer.clone(),
            places: Places {
                flat: place("t"),
                by_side: ["tz", "ty", "tx"].map(&mut place),
            },
            by_scope: BTreeMap::new(),
            strips: BTreeMap::new(),
        }
    }

    /// Renders a tile, and takes the names that it needs.
    ///
    /// # Errors
    /// A formula or a loop has no text here.
    fn add(&mut self, tile: &Tile, rewrite: &mut Rewrite) -> Result<(), Reason> {
        let (names, declarations) = (rewrite.names.len(), rewrite.declarations.len());
        let strips = self.renderer.strips.len();
        let added = self.render(tile, rewrite);
        if added.is_err() {
            rewrite.names.truncate(names);
            rewrite.declarations.truncate(declarations);
            self.renderer.strips.truncate(strips);
        }
        added
    }

    fn render(&mut self, tile: &Tile, rewrite: &mut Rewrite) -> Result<(), Reason> {
        let (subject, formulas) = (self.renderer.subject, self.renderer.formulas);
        let lengths = tile.padded(formulas, subject.form.padding);
        let name = self.name(tile, &lengths, rewrite);
        let is_known = |(own, _): &(Scope, String)| *own == tile.scope;
        if let Some(original) = tile.scope.original_loop()
            && !self.renderer.strips.iter().any(is_known)
        {
            let variable = self.renderer.loop_variable(original)?.0;
            let first = rewrite.name(subject, &format!("{variable}_start"));
            self.renderer.strips.push((tile.scope, first));
        }
        let begin = array_begin(&self.renderer, tile, rewrite)?;
        let element = element_name(&self.renderer, tile)?;
        let sides = tile.sides.iter().rev();
        let last = sides.map(|side| side.extent).find(|extent| *extent > 1);
        let is_padded = lengths.last().copied() != last;
        let declaration = local_declaration(&element, &name, &lengths, is_padded);
        let mut served = Vec::new();
        for one in &tile.served {
            let mut text = name.clone();
            for (at, side) in one.at.iter().zip(&tile.sides) {
                if side.extent > 1 {
                    text += &format!("[{}]", self.renderer.sum(at)?);
                }
            }
            if one.lanes > 1 {
                text = format!("vload{}(0, &{text})", one.lanes);
            }
            served.push((one.range.clone(), text));
        }
        let fill = Fill {
            renderer: &self.renderer,
            tile,
            name: &name,
            begin: &begin,
            places: &self.places,
        };
        let fill = fill.lines()?;
        if tile.scope != Scope::Kernel && !self.strips.contains_key(&tile.scope) {
            let strip = StripLoop::new(&self.renderer, tile.scope)?;
            self.strips.insert(tile.scope, strip);
        }
        self.by_scope.entry(tile.scope).or_default().push(TileText {
            name,
            array: tile.array,
            element: tile.element.clone(),
            lengths,
            declaration,
            served,
            fill,
        });
        Ok(())
    }

    /// A new name, or that of a tile whose memory this one can use too, because both are never needed at the same time.
    fn name(&self, tile: &Tile, lengths: &[i64], rewrite: &mut Rewrite) -> String {
        let formulas = self.renderer.formulas;
        let texts = || {
            let scopes = self.by_scope.iter();
            scopes.flat_map(|(scope, all)| all.iter().map(|it| (*scope, it)))
        };
        let is_free = |name: &str| {
            let mut users = texts().filter(|(_, it)| it.name == name);
            users.all(|(scope, _)| never_coexist(formulas, scope, tile.scope))
        };
        let mut alike = texts().map(|(_, it)| it).filter(|it| {
            it.array == tile.array && it.element == tile.element && it.lengths == lengths
        });
        match alike.find(|it| is_free(&it.name)) {
            Some(shared) => shared.name.clone(),
            None => {
                let array = &formulas.all.arrays[tile.array].name;
                rewrite.name(self.renderer.subject, &format!("{array}_tile"))
            }
        }
    }

    /// Writes the tiles. If a tile is guarded, or the kernel's end gets a barrier, guards are hoisted.
    ///
    /// # Errors
    /// A guard can't be hoisted.
    fn put(&self, ends: bool, is_guarded: bool, rewrite: &mut Rewrite) -> Result<(), Reason> {
        let (subject, formulas) = (self.renderer.subject, self.renderer.formulas);
        for text in self.by_scope.values().flatten() {
            if !rewrite.declarations.contains(&text.declaration) {
                rewrite.declarations.push(text.declaration.clone());
            }
            for (range, text) in &text.served {
                rewrite.replace(range.clone(), text.as_str());
            }
        }
        let open: Vec<Scope> = self.by_scope.keys().copied().collect();
        let guarded = if ends || is_guarded {
            hoist::hoist(subject, &formulas.all.loops, &open, ends, rewrite)?
        } else {
            Guarded::new()
        };
        let texts = self.by_scope.get(&Scope::Kernel).into_iter().flatten();
        rewrite
            .prologue
            .extend(texts.flat_map(|text| text.fill.iter().cloned()));
        // The innermost first: where loops end in the same place, its end comes first.
        let mut strips: Vec<(&Scope, &StripLoop<'_>)> = self.strips.iter().collect();
        strips.sort_by_key(|(_, strip)| usize::MAX - strip.original);
        for (scope, strip) in strips {
            let texts = &self.by_scope[scope];
            let mut lines: Vec<String> = Vec::new();
            for text in texts {
                lines.extend(text.fill.iter().cloned());
            }
            let tiles = if texts.len() > 1 {
                "the tiles are"
            } else {
                "the tile is"
            };
            lines.push(format!("barrier(CLK_LOCAL_MEM_FENCE); // {tiles} filled"));
            let deeper = self.deeper(strip.original, &guarded);
            strip.put(subject, &lines, &guarded, &deeper, rewrite);
        }
        Ok(())
    }

    /// White space by which the strips around an author's loop move it in.
    fn deeper(&self, original: usize, guarded: &Guarded) -> String {
        let loops = &self.renderer.formulas.all.loops;
        let own = &loops[original].span;
        let around = self.strips.values().filter(|it| {
            let other = &loops[it.original].span;
            it.original != original
                && other.begin.offset <= own.begin.offset
                && own.end.offset <= other.end.offset
        });
        let by = around.map(|it| {
            if guarded.contains_key(&it.original) {
                8
            } else {
                4
            }
        });
        " ".repeat(by.sum())
    }
}

/// The name of the array's beginning wherever a tile is filled: the array's own name. If that is set, means something
/// else, or has another type, another name is declared.
fn array_begin(
    renderer: &Renderer<'_>,
    tile: &Tile,
    rewrite: &mut Rewrite,
) -> Result<String, Reason> {
    let argument = &renderer.formulas.all.arrays[tile.array];
    let is_own = tile.element == argument.element;
    if is_own && renderer.subject.is_fixed(argument.variable) {
        return Ok(argument.name.clone());
    }
    let (array, element) = (&argument.name, element_name(renderer, tile)?);
    let cast = if is_own {
        String::new()
    } else {
        format!("(__global const {element} *)")
    };
    let declared = |name: &str| format!("__global const {element} *const {name} = {cast}{array};");
    let name = format!("{array}_begin");
    if rewrite.declarations.contains(&declared(&name)) {
        return Ok(name);
    }
    let name = rewrite.name(renderer.subject, &name);
    rewrite.declarations.push(declared(&name));
    Ok(name)
}

/// The name of the type of a tile's elements: the author's, if they are read as what they are.
fn element_name(renderer: &Renderer<'_>, tile: &Tile) -> Result<String, Reason> {
    if tile.element == renderer.formulas.all.arrays[tile.array].element {
        renderer.element(tile.array)
    } else {
        Ok(tile.element.to_string())
    }
}

/// Whether tiles of two loops are never needed at the same time: a barrier stands behind each.
fn never_coexist(formulas: &Formulas, one: Scope, other: Scope) -> bool {
    let (Some(one), Some(other)) = (one.original_loop(), other.original_loop()) else {
        return false;
    };
    let mut accesses = formulas.all.accesses.iter();
    one != other
        && !accesses.any(|access| access.loops.contains(&one) && access.loops.contains(&other))
}

impl<'a> StripLoop<'a> {
    /// The loop over a scope's strips.
    ///
    /// # Errors
    /// The author's loop has another form.
    fn new(renderer: &Renderer<'a>, scope: Scope) -> Result<Self, Reason> {
        let subject = renderer.subject;
        let strip = scope.strip().ok_or(Reason::LoopForm)?;
        let (original, length) = (strip.original, strip.length);
        let of_loop = &renderer.formulas.all.loops[original];
        let head = strip_head::head(subject, &of_loop.span)?;
        let range = subject.begin(head.stmt)?..subject.end(head.stmt)?;
        let lower = match &head.first {
            Some(first) => subject.text(first).to_owned(),
            None => renderer.sum(of_loop.lower.as_ref().ok_or(Reason::LoopForm)?)?,
        };
        behind_word(subject.text(&head.condition), head.name).ok_or(Reason::LoopForm)?;
        let first = renderer.strips.iter().find(|(own, _)| *own == scope);
        Ok(Self {
            original,
            length,
            head,
            range,
            lower,
            first: first.ok_or(Reason::Name)?.1.clone(),
        })
    }

    /// Writes the loop around the author's own, with lines that fill its tiles. The author's loop runs where its guard
    /// holds, and is indented by `deeper`.
    fn put(
        &self,
        subject: Subject<'_>,
        fill: &[String],
        guarded: &Guarded,
        deeper: &str,
        rewrite: &mut Rewrite,
    ) {
        let (head, first, length) = (&self.head, &self.first, self.length);
        let Range { start: begin, end } = self.range;
        let indent = subject.indent(begin).to_owned() + deeper;
        let over = subject.text(&head.condition).replacen(head.name, first, 1);
        let (ty, lower) = (&head.ty, &self.lower);
        let mut before = format!("for ({ty} {first} = {lower}; {over}; {first} += {length}) {{\n");
        for line in fill {
            before += &format!("{indent}    {line}\n");
        }
        before += &format!("{indent}    ");
        let mut by = "    ".to_owned();
        if let Some(guard) = guarded.get(&self.original) {
            before += &format!("if ({guard})\n{indent}        ");
            by += "    ";
        }
        rewrite.indent(subject, begin..end, &by);
        rewrite.edits.push(Edit::insert(begin, before));
        if let Some(own) = head.first.clone() {
            rewrite.edits.push(Edit::replace(own, first));
        }
        match &head.end {
            Some((end, is_within)) => {
                let last = length - i64::from(*is_within);
                let until = format!(", {first} + {last})");
                rewrite.edits.push(Edit::insert(end.start, "min("));
                rewrite.edits.push(Edit::insert(end.end, until));
            }
            None => {
                let until = format!(" && {} < {first} + {length}", head.name);
                rewrite.edits.push(Edit::insert(head.condition.end, until));
            }
        }
        let after =
            format!("\n{indent}    barrier(CLK_LOCAL_MEM_FENCE); // all have read it\n{indent}}}");
        rewrite.edits.push(Edit::insert(end, after));
    }
}
