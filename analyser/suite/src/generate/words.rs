//! Descriptions of generated kernels, in words.

use super::{
    recipe::{AtomicKind, Local, Path, Recipe, Storing, Uneven},
    theme::Theme,
};

/// The sentences about a recipe, in the order of a step.
pub(super) fn words(recipe: &Recipe) -> String {
    let mut words = vec![reading(recipe), arithmetic(recipe)];
    if let Some(private) = recipe.private {
        let alike = if private.alike {
            "all alike"
        } else {
            "each another"
        };
        words.push(format!(
            "It changes {} of a private array of {} numbers, {alike}.",
            count(private.touches, "element"),
            private.length
        ));
    }
    words.extend(recipe.local.map(|local| local_words(recipe, local)));
    if let Some(atomic) = recipe.atomic {
        let kind = match atomic.kind {
            AtomicKind::Add => "adds",
            AtomicKind::Max => "takes the maximum",
            AtomicKind::Xor => "takes the exclusive or",
            AtomicKind::AddAndWait => "adds, and waits for the answer,",
            AtomicKind::CompareExchange => "adds by comparing and exchanging",
        };
        let places = match atomic.few {
            Some(few) => count(few, "address"),
            None => "`slot_mask` + 1 addresses".to_owned(),
        };
        words.push(format!(
            "It {kind} atomically at one of {places} in global memory."
        ));
    }
    words.extend(recipe.storing.map(storing));
    words.join(" ")
}

fn reading(recipe: &Recipe) -> String {
    let numbers = match recipe.at_once {
        1 => "a number".to_owned(),
        several => format!("{several} numbers"),
    };
    match recipe.path {
        Path::Start => "A work-item reads one number before its first step.".to_owned(),
        Path::Side => format!("In a step a work-item reads {numbers} beside its neighbours'."),
        Path::Strided(stride) => {
            format!(
                "In a step a work-item reads {numbers}, {stride} elements from its neighbours'."
            )
        }
        Path::Neighbours(reach) => {
            format!("In a step a work-item reads {numbers}, {reach} elements from one to the next.")
        }
        Path::Places => format!("In a step a work-item reads {numbers} where `places` says."),
        Path::Anywhere => format!("In a step a work-item reads {numbers} where a hash says."),
        Path::Same => format!("In a step all work-items read the same {numbers}."),
        Path::Next => format!(
            "A work-item follows {} from element to element.",
            count(recipe.at_once, "chain")
        ),
        Path::Row => format!("A work-item goes along its row, {numbers} at a time."),
        Path::Column => format!("A work-item goes along its column, {numbers} at a time."),
        Path::RowInPlace { carried } => format!(
            "A work-item changes its row, {numbers} at a time, {}.",
            from(carried)
        ),
        Path::ColumnInPlace { carried } => {
            format!(
                "A work-item changes its column, {numbers} at a time, {}.",
                from(carried)
            )
        }
    }
    .replace("same a number", "same number")
}

fn from(carried: bool) -> &'static str {
    if carried {
        "by what it has made so far"
    } else {
        "by a line that all read"
    }
}

fn arithmetic(recipe: &Recipe) -> String {
    let operation = if recipe.theme == Theme::Mix {
        format!("{} and {}", recipe.operation.words, recipe.other.words)
    } else {
        recipe.operation.words.to_owned()
    };
    let many = count(recipe.times, "time");
    let chains = match recipe.chains {
        1 => String::new(),
        chains => format!(" in {chains} chains"),
    };
    let number = recipe.number.name();
    let uneven = match recipe.uneven {
        None => String::new(),
        Some(Uneven::ByNumber) => format!(", or {}, as the number is", recipe.other.words),
        Some(Uneven::ByTurns(turn)) => {
            format!(", or {}, in turns of {turn} work-items", recipe.other.words)
        }
        Some(Uneven::Times(most)) => {
            format!(", in some work-items {most} times as often as in others")
        }
        Some(Uneven::OneOf(count)) => format!(", by one of {count} work-items"),
        Some(Uneven::Steps) => ", in a quarter of the steps to all".to_owned(),
    };
    format!("It computes ({number}: {operation}) {many}{chains}{uneven}.")
}

fn local_words(recipe: &Recipe, local: Local) -> String {
    match local {
        Local::Reads {
            words,
            stride,
            touches,
        } => format!(
            "It reads {} of {words} in local memory, {stride} from its neighbours'.",
            count(touches, "number")
        ),
        Local::Chase { words, touches } => {
            format!(
                "It follows a chain in local memory of {words} elements, {} a step.",
                count(touches, "link")
            )
        }
        Local::Own {
            length,
            touches,
            contiguous,
        } => format!(
            "It changes {} of an array of its own of {length} in local memory, which {}.",
            count(touches, "element"),
            if contiguous {
                "lies together"
            } else {
                "lies between the others'"
            }
        ),
        Local::Exchange { reach, touches } => format!(
            "It gives its number to the work-item {reach} before it, {} a step, between barriers.",
            count(touches, "time")
        ),
        Local::Sum => format!("The group of {} sums up by halving.", recipe.group),
        Local::Prefix => format!(
            "The group of {} makes prefix sums by doubling.",
            recipe.group
        ),
        Local::Counts { bins, touches } => {
            format!(
                "It counts {} a step in {} in local memory, atomically.",
                count(touches, "time"),
                count(bins, "bin")
            )
        }
    }
}

fn storing(storing: Storing) -> String {
    match storing {
        Storing::Side { last } => {
            format!("It stores every result beside its neighbours'; the last {last} stay.")
        }
        Storing::Row { last } => {
            format!("It stores every result beside its last; the last {last} stay.")
        }
        Storing::Line => "It stores every result where its line is in another buffer.".to_owned(),
        Storing::Few(few) => format!("It stores a mark at one of {}.", count(few, "address")),
        Storing::Scattered => "It stores a mark anywhere.".to_owned(),
    }
}

/// A count with its noun: `1 element`, `2 elements`.
fn count(number: u32, thing: &str) -> String {
    let ending = match (number, thing.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {thing}{ending}")
}

/// Words in lines of comment.
pub(super) fn comment(words: &str) -> String {
    let mut lines = String::new();
    let mut line = "//".to_owned();
    for word in words.split(' ') {
        if line.len() + word.len() > 104 {
            lines += &line;
            lines.push('\n');
            line = "//".to_owned();
        }
        line.push(' ');
        line += word;
    }
    lines + &line + "\n"
}
