import { expect, test, vi } from 'vitest'
import { endConnection } from '../../../core/db/postgres-liveness.ts'

test('a connection whose server is silent is broken after a moment: it would keep the process from ending', async () => {
  let closed = () => {}
  const end = () =>
    new Promise<void>((resolve) => {
      closed = resolve
    })
  const destroy = vi.fn(() => closed())

  await endConnection({ end, connection: { stream: { destroy } } } as never)

  expect(destroy).toHaveBeenCalledTimes(1)
})

test('a connection that cannot be ended is broken at once', async () => {
  const destroy = vi.fn()

  await endConnection({ end: () => Promise.reject(new Error('gone')), connection: { stream: { destroy } } } as never)

  expect(destroy).toHaveBeenCalledTimes(1)
})

test('a server that answers is not cut off', async () => {
  const destroy = vi.fn()

  await endConnection({ end: async () => {}, connection: { stream: { destroy } } } as never)

  expect(destroy).not.toHaveBeenCalled()
})
