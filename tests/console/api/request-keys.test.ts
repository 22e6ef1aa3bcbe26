import { describe, expect, test } from 'vitest'
import { createRequestKeys } from '../../../console/api/request-keys.ts'

describe('the key of a request', () => {
  test('is the same for the same request, until its reply arrives', () => {
    const { keyFor, forget } = createRequestKeys()
    const first = keyFor({ name: 'a', quota: 1 })
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(keyFor({ name: 'a', quota: 1 })).toBe(first)
    forget()
    expect(keyFor({ name: 'a', quota: 1 })).not.toBe(first)
  })

  test('differs for another request', () => {
    const { keyFor } = createRequestKeys()
    expect(keyFor({ quota: 1 })).not.toBe(keyFor({ quota: 2 }))
  })
})
