import { Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Makes other machines unreachable until the test ends, so that tests send nothing to them. */
export function stayOnThisMachine(): void {
  const { connect } = Socket.prototype
  const guard = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [options] = given.flat() as { host?: string; path?: string }[]
    const local = options?.path !== undefined || /^(127\.|localhost$|::1$)/.test(options?.host ?? 'localhost')
    if (local) return Reflect.apply(connect, this, given)
    const unreachable = Object.assign(new Error('This test does not reach other machines'), { code: 'ENETUNREACH' })
    // As late as a real failure, so that the caller has attached its listeners.
    setImmediate(() => this.destroy(unreachable))
    return this
  })
  onTestFinished(() => void guard.mockRestore())
}
