/** A possible member of a roster. */
export interface Rostered {
  /** Index in the roster, or -1 if this is not a member. Only the roster may change it. */
  place: number
}

/**
 * A set whose members are added and removed with each request, in constant time. A removal changes the order of the
 * members.
 *
 * A `Set` would delay garbage collection, because V8 links each replaced table of a `Set` to the new table. Old tables
 * that were promoted keep their members alive until the next full collection.
 */
export class Roster<Member extends Rostered> implements Iterable<Member> {
  private readonly members: Member[] = []

  get size(): number {
    return this.members.length
  }

  add(member: Member): void {
    member.place = this.members.push(member) - 1
  }

  delete(member: Member): void {
    const { place } = member
    if (this.members[place] !== member) return
    const last = this.members.pop()
    if (last && last !== member) {
      this.members[place] = last
      last.place = place
    }
    member.place = -1
  }

  [Symbol.iterator](): Iterator<Member> {
    return this.members[Symbol.iterator]()
  }
}
