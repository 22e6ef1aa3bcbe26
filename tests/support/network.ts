import { Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Until the test ends, whoever tries to reach another machine finds it unreachable: tests send to nobody else. */
export function stayOnThisMachine(): void {
  const { connect } = Socket.prototype
  const guard = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [options] = given.flat() as { host?: string; path?: string }[]
    const local = options?.path !== undefined || /^(127\.|localhost$|::1$)/.test(options?.host ?? 'localhost')
    if (local) return Reflect.apply(connect, this, given)
    const unreachable = Object.assign(new Error('This test does not reach other machines'), { code: 'ENETUNREACH' })
    // As late as a real failure: whoever connects listens by then.
    setImmediate(() => this.destroy(unreachable))
    return this
  })
  onTestFinished(() => void guard.mockRestore())
}
