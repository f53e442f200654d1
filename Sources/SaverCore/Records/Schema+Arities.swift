// Written by Scripts/generate-arities; change that, not this.

extension Schema {
  @inlinable
  public init<A: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description, b.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue, C: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description, b.description, c.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1], try row[2]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description, b.description, c.description, d.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1], try row[2], try row[3]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description, b.description, c.description, d.description, e.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1], try row[2], try row[3], try row[4]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F) -> R
  ) {
    self.init(
      name, version: version,
      fields: [a.description, b.description, c.description, d.description, e.description, f.description],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1], try row[2], try row[3], try row[4], try row[5]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue>(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in make(try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6]) },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue, L: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>, _ l: Field<R, L>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description, l.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10], try row[11])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
        l.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue, L: FieldValue, M: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>, _ l: Field<R, L>, _ m: Field<R, M>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description, l.description, m.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10], try row[11], try row[12])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
        l.value(of: record).encode(into: &row)
        m.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue, L: FieldValue, M: FieldValue, N: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>, _ l: Field<R, L>, _ m: Field<R, M>, _ n: Field<R, N>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description, l.description, m.description, n.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10], try row[11], try row[12], try row[13])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
        l.value(of: record).encode(into: &row)
        m.value(of: record).encode(into: &row)
        n.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue, L: FieldValue, M: FieldValue, N: FieldValue,
    O: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>, _ l: Field<R, L>, _ m: Field<R, M>, _ n: Field<R, N>, _ o: Field<R, O>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description, l.description, m.description, n.description,
        o.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10], try row[11], try row[12], try row[13], try row[14])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
        l.value(of: record).encode(into: &row)
        m.value(of: record).encode(into: &row)
        n.value(of: record).encode(into: &row)
        o.value(of: record).encode(into: &row)
      })
  }

  @inlinable
  public init<
    A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue, F: FieldValue, G: FieldValue,
    H: FieldValue, I: FieldValue, J: FieldValue, K: FieldValue, L: FieldValue, M: FieldValue, N: FieldValue,
    O: FieldValue, P: FieldValue
  >(
    _ name: String, version: Int, _ a: Field<R, A>, _ b: Field<R, B>, _ c: Field<R, C>, _ d: Field<R, D>,
    _ e: Field<R, E>, _ f: Field<R, F>, _ g: Field<R, G>, _ h: Field<R, H>, _ i: Field<R, I>, _ j: Field<R, J>,
    _ k: Field<R, K>, _ l: Field<R, L>, _ m: Field<R, M>, _ n: Field<R, N>, _ o: Field<R, O>, _ p: Field<R, P>,
    indexes: [Index<R>] = [], derived: [DerivedField] = [],
    make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) -> R
  ) {
    self.init(
      name, version: version,
      fields: [
        a.description, b.description, c.description, d.description, e.description, f.description, g.description,
        h.description, i.description, j.description, k.description, l.description, m.description, n.description,
        o.description, p.description,
      ],
      indexes: indexes, derived: derived,
      decode: { row in
        make(
          try row[0], try row[1], try row[2], try row[3], try row[4], try row[5], try row[6], try row[7], try row[8],
          try row[9], try row[10], try row[11], try row[12], try row[13], try row[14], try row[15])
      },
      encode: { record, row in
        a.value(of: record).encode(into: &row)
        b.value(of: record).encode(into: &row)
        c.value(of: record).encode(into: &row)
        d.value(of: record).encode(into: &row)
        e.value(of: record).encode(into: &row)
        f.value(of: record).encode(into: &row)
        g.value(of: record).encode(into: &row)
        h.value(of: record).encode(into: &row)
        i.value(of: record).encode(into: &row)
        j.value(of: record).encode(into: &row)
        k.value(of: record).encode(into: &row)
        l.value(of: record).encode(into: &row)
        m.value(of: record).encode(into: &row)
        n.value(of: record).encode(into: &row)
        o.value(of: record).encode(into: &row)
        p.value(of: record).encode(into: &row)
      })
  }
}
