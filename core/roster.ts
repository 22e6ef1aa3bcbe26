/** A member stores its place in the roster. */
export interface Rostered {
  /** Only for the roster; -1 = not a member. */
  place: number
}

/**
 * Members that come and go with each request. With a `Set` they would not be garbage-collected early: V8 links each replaced table
 * to the new one, and promoted old tables keep their members until the next full collection. Adding and removing are O(1); the
 * order changes.
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
