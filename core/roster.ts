/** A member of a roster knows its place there. */
export interface Rostered {
  /** For the roster alone; -1 = in none. */
  place: number
}

/**
 * Members that come and go with each request. A `Set` would keep them from being collected young: each time its table is
 * replaced, V8 links the old table to the new one, and old tables that have been promoted hold what they had then until the
 * next full collection. Adding and removing are O(1); the order changes.
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
    const last = this.members.pop() as Member
    if (last !== member) {
      this.members[place] = last
      last.place = place
    }
    member.place = -1
  }

  [Symbol.iterator](): Iterator<Member> {
    return this.members[Symbol.iterator]()
  }
}
