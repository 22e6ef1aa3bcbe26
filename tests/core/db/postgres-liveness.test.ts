import { expect, test, vi } from 'vitest'
import { endConnection } from '../../../core/db/postgres-liveness.ts'

test('a connection to a silent server is destroyed after a moment, because it would keep the process alive', async () => {
  let closed = () => {}
  const end = () =>
    new Promise<void>((resolve) => {
      closed = resolve
    })
  const destroy = vi.fn(() => closed())

  await endConnection({ end, connection: { stream: { destroy } } } as never)

  expect(destroy).toHaveBeenCalledTimes(1)
})

test('a connection that cannot be ended is destroyed immediately', async () => {
  const destroy = vi.fn()

  await endConnection({ end: () => Promise.reject(new Error('gone')), connection: { stream: { destroy } } } as never)

  expect(destroy).toHaveBeenCalledTimes(1)
})

test('a responding server is not disconnected', async () => {
  const destroy = vi.fn()

  await endConnection({ end: async () => {}, connection: { stream: { destroy } } } as never)

  expect(destroy).not.toHaveBeenCalled()
})
