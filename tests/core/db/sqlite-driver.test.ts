import { expect, test } from 'vitest'
import { requireSqliteDriver } from '../../../core/db/sqlite-driver.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { errorText } from '../../../core/messages/messages.ts'

test('a driver that cannot be loaded is reported with the build command', () => {
  const load = () => {
    throw new Error('Could not locate the bindings file. Tried:\n → /a\n → /b')
  }
  let refused: GatewayError | undefined
  try {
    requireSqliteDriver(load)
  } catch (error) {
    refused = error as GatewayError
  }
  expect(refused).toMatchObject({ code: 'DATABASE_DRIVER_MISSING', kind: 'environment' })
  const text = errorText(refused as GatewayError, 'en')
  expect(text).not.toContain('/a')
  expect(text).toContain('npm rebuild sqlite3')
  expect(() => requireSqliteDriver()).not.toThrow()
})
