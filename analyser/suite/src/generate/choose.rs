//! Makes a recipe from a theme and a point: each block by the point's coordinates.

use super::{
    number::{
        Number::{self, Double, Float, Uint, Ulong},
        Storage::{Narrow, Plain, Vector},
        operations,
    },
    point::{Axis, Point, whole},
    recipe::{
        Atomic,
        AtomicKind::{Add, AddAndWait, CompareExchange, Max, Xor},
        Local, Path, Private, Recipe, Storing, Uneven,
    },
    theme::Theme,
};

impl Recipe {
    /// A recipe by the coordinates of the point.
    pub(super) fn new(theme: Theme, point: Point) -> Self {
        let number = theme.number(point);
        let all = operations(number);
        let mut recipe = Self {
            theme,
            group: theme.group(point),
            number,
            storage: point.pick(Axis::Storage, &[Plain, Plain, Plain, Narrow, Vector]),
            path: theme.path(point),
            at_once: theme.at_once(point),
            restrict: point.at(Axis::Aliases) < 0.4,
            operation: point.pick(Axis::Operation, &all),
            other: point.pick(Axis::Other, &all),
            times: theme.times(point),
            chains: theme.chains(point),
            uneven: theme.uneven(point),
            private: theme.private(point),
            local: theme.local(point),
            atomic: theme.atomic(point),
            storing: theme.storing(point),
        };
        recipe.add_extra(point);
        recipe.settle();
        recipe
    }

    /// Every second kernel has a block of another theme too.
    fn add_extra(&mut self, point: Point) {
        let touches = point.power(Axis::Touches, 0, 2);
        match whole(12.0 * point.at(Axis::Extra)) {
            0 => {
                let length = point.power(Axis::Words, 4, 6);
                self.private.get_or_insert(Private {
                    length,
                    touches,
                    alike: false,
                });
            }
            1 => {
                let words = point.power(Axis::Words, 8, 12);
                let stride = point.pick(Axis::Distance, &[1, 1, 2, 8]);
                self.local.get_or_insert(Local::Reads {
                    words,
                    stride,
                    touches,
                });
            }
            2 => {
                let exchange = Local::Exchange { reach: 1, touches };
                self.local.get_or_insert(exchange);
            }
            3 => {
                let kind = point.pick(Axis::Atomic, &[Add, AddAndWait]);
                self.atomic.get_or_insert(Atomic { kind, few: None });
            }
            4 => {
                let ways = point.power(Axis::Ways, 1, 5);
                let uneven = point.pick(
                    Axis::Uneven,
                    &[Uneven::ByNumber, Uneven::Times(ways), Uneven::OneOf(ways)],
                );
                self.uneven.get_or_insert(uneven);
            }
            5 => {
                self.storing.get_or_insert(Storing::Side { last: 4 });
            }
            _ => {}
        }
    }

    /// Removes what does not go together.
    fn settle(&mut self) {
        let line = self.path.line();
        if self.path.is_in_place() {
            // What is changed is both read and written, by one pointer.
            self.storage = Plain;
            self.chains = 1;
            self.restrict = false;
            self.storing = None;
            self.uneven = None;
        }
        if self.path == Path::Next {
            self.storage = Plain;
        }
        if line.is_some()
            && matches!(
                self.storing,
                Some(Storing::Side { .. } | Storing::Row { .. })
            )
        {
            self.storing = Some(Storing::Line);
            self.restrict = false;
        }
        // Where work-items take unlike numbers of steps none may wait for the others.
        let waits = matches!(
            self.local,
            Some(Local::Exchange { .. } | Local::Sum | Local::Prefix)
        );
        if self.uneven == Some(Uneven::Steps) && (waits || line.is_some() || self.storing.is_some())
        {
            self.uneven = Some(Uneven::ByNumber);
        }
        // Halving needs a power of two.
        if self.local == Some(Local::Sum) {
            self.group = self.group.next_power_of_two();
        }
        // Where a group fills a small array at once, compilers compute its places with as few bits as they
        // have, which Oclgrind 21.10 gets wrong.
        if let Some(Local::Chase { words, .. }) = &mut self.local {
            *words = (*words).max(2 * self.group.next_power_of_two());
        }
        // Of slow operations fewer.
        while self.times > 4 && f64::from(self.times) * self.operation.wait > 1500.0 {
            self.times /= 2;
        }
    }
}

/// The block of a theme; the other blocks are as usual.
impl Theme {
    fn number(self, point: Point) -> Number {
        if self == Self::Chase {
            return Uint;
        }
        point.pick(Axis::Number, &[Float, Float, Uint, Uint, Double, Ulong])
    }

    fn group(self, point: Point) -> u32 {
        let all: &[u32] = match self {
            Self::LocalArray => &[32, 32, 64, 64, 128],
            _ => &[32, 64, 64, 96, 128, 128, 192, 256, 256, 256, 384, 512, 1024],
        };
        point.pick(Axis::Group, all)
    }

    fn path(self, point: Point) -> Path {
        let all: &[Path] = match self {
            Self::Stream => return Path::Side,
            Self::Stride => return Path::Strided(2 * point.power(Axis::Distance, 0, 5)),
            Self::Gather => return Path::Places,
            Self::RandomReads => return Path::Anywhere,
            Self::Chase => return Path::Next,
            Self::Table => return Path::Same,
            Self::Neighbours => {
                return Path::Neighbours(point.pick(Axis::Distance, &[1, 1, 64, 1024]));
            }
            Self::Rows => return Path::Row,
            Self::Columns => return Path::Column,
            Self::Arithmetic | Self::Mix => return Path::Start,
            Self::LoadsInFlight => &[Path::Side, Path::Anywhere, Path::Strided(8), Path::Row],
            Self::InPlace => {
                let carried = point.pick(Axis::Chains, &[false, true]);
                let row = Path::RowInPlace { carried };
                return point.pick(Axis::Path, &[row, Path::ColumnInPlace { carried }]);
            }
            _ => &[Path::Start, Path::Side, Path::Side, Path::Anywhere],
        };
        point.pick(Axis::Path, all)
    }

    fn at_once(self, point: Point) -> u32 {
        let all: &[u32] = match self {
            Self::Stream
            | Self::Stride
            | Self::Gather
            | Self::RandomReads
            | Self::Chase
            | Self::Table => &[1, 1, 2, 4],
            Self::LoadsInFlight => &[2, 4, 8, 16],
            Self::Neighbours => &[3, 5, 9],
            Self::Rows | Self::Columns => &[1, 1, 2, 4, 8],
            Self::InPlace => &[1, 1, 1, 4],
            _ => &[1],
        };
        point.pick(Axis::AtOnce, all)
    }

    fn times(self, point: Point) -> u32 {
        let all: &[u32] = match self {
            Self::LoadsInFlight => &[1],
            Self::Chase => &[1, 1, 2, 4],
            Self::Neighbours => &[1, 1, 2],
            Self::Rows | Self::Columns => &[1, 1, 1, 2, 8],
            Self::InPlace => &[1, 1, 1, 4],
            Self::Arithmetic | Self::Mix => return point.power(Axis::Times, 2, 6),
            Self::Branches => return point.power(Axis::Times, 1, 5),
            _ => return point.power(Axis::Times, 0, 3),
        };
        point.pick(Axis::Times, all)
    }

    fn chains(self, point: Point) -> u32 {
        let all: &[u32] = match self {
            Self::Arithmetic | Self::Mix => &[1, 1, 2, 4, 8],
            _ => &[1, 1, 2, 4],
        };
        point.pick(Axis::Chains, all)
    }

    fn uneven(self, point: Point) -> Option<Uneven> {
        let ways = point.power(Axis::Ways, 1, 5);
        let all = [
            Uneven::ByNumber,
            Uneven::ByTurns(ways),
            Uneven::Times(ways),
            Uneven::OneOf(2 * ways),
            Uneven::Steps,
        ];
        (self == Self::Branches).then(|| point.pick(Axis::Uneven, &all))
    }

    fn private(self, point: Point) -> Option<Private> {
        (self == Self::PrivateArray).then(|| Private {
            length: point.power(Axis::Words, 4, 8),
            touches: point.power(Axis::Touches, 0, 4),
            alike: point.pick(Axis::Spread, &[false, true]),
        })
    }

    fn local(self, point: Point) -> Option<Local> {
        let touches = point.power(Axis::Touches, 0, 4);
        let words = point.power(Axis::Words, 6, 12);
        Some(match self {
            Self::LocalReads => Local::Reads {
                words,
                stride: point.power(Axis::Distance, 0, 5),
                touches: 2 * touches,
            },
            Self::LocalChase => Local::Chase {
                words,
                touches: 2 * touches,
            },
            Self::LocalArray => Local::Own {
                length: point.power(Axis::Words, 2, 5),
                touches,
                contiguous: point.pick(Axis::Spread, &[false, true]),
            },
            Self::Exchange => Local::Exchange {
                reach: point.pick(Axis::Distance, &[1, 7, 16, 31]),
                touches,
            },
            Self::Reduce => Local::Sum,
            Self::Scan => Local::Prefix,
            Self::LocalCounts => Local::Counts {
                bins: point.power(Axis::Words, 0, 10),
                touches,
            },
            _ => return None,
        })
    }

    fn atomic(self, point: Point) -> Option<Atomic> {
        let (kinds, few) = match self {
            Self::AtomicsFew => {
                let few = point.pick(Axis::Addresses, &[1, 1, 2, 8, 32]);
                ([Add, Max, Xor, AddAndWait, AddAndWait], Some(few))
            }
            Self::AtomicsMany => ([Add, Max, AddAndWait, AddAndWait, CompareExchange], None),
            _ => return None,
        };
        let kind = point.pick(Axis::Atomic, &kinds);
        Some(Atomic { kind, few })
    }

    fn storing(self, point: Point) -> Option<Storing> {
        let all: &[Option<Storing>] = match self {
            Self::Stream => &[
                None,
                None,
                Some(Storing::Side { last: 8 }),
                Some(Storing::Row { last: 8 }),
            ],
            Self::Rows | Self::Columns => &[None, None, Some(Storing::Line)],
            Self::StoresFew => {
                let addresses = point.pick(Axis::Addresses, &[1, 1, 2, 8, 64]);
                return Some(Storing::Few(addresses));
            }
            Self::StoresScattered => return Some(Storing::Scattered),
            _ => return None,
        };
        point.pick(Axis::Storing, all)
    }
}
