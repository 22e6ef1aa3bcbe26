import { describe, expect, test } from 'vitest'
import { readDocument } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { operationsOf } from '../../support/operations.ts'
import { DOCUMENTED, everyRow, servedRows, testsByCall } from '../../tools/api-coverage.ts'
import { CALLS, nameOf } from './calls.ts'

const served = async () => readDocument((await openTestGateway()).url)

describe('the management API', () => {
  test('serves every documented call', async () => {
    const names = new Set(servedRows(await served()).map(({ name }) => name))

    expect(DOCUMENTED.filter(({ name }) => !names.has(name)).map(({ call }) => call)).toEqual([])
  })

  test('allows exactly the documented roles', async () => {
    const documented = new Map(CALLS.map((call) => [nameOf(call), call.access]))

    const differing = operationsOf(await served())
      .filter(({ access, ...operation }) => access && (documented.get(nameOf(operation)) ?? access) !== access)
      .map(({ access, ...operation }) => `${nameOf(operation)} is for ${access}`)

    expect(differing).toEqual([])
  })

  test('limits exactly the documented calls like sign-ins, and checks exactly the documented ones for bots', async () => {
    const documented = new Map(CALLS.map((call) => [nameOf(call), call]))

    const differing = operationsOf(await served()).filter((operation) => {
      const call = documented.get(nameOf(operation))
      const { critical = false, botCheck = false } = call ?? operation
      return critical !== operation.critical || botCheck !== operation.botCheck
    })

    expect(differing.map(nameOf)).toEqual([])
  })

  test('shows the limit of sign-ins also for calls that only Tollgate has', async () => {
    const rows = new Map(servedRows(await served()).map(({ call, access }) => [call, access]))

    expect(rows.get('POST /api/notify/:id/test')).toBe('user, critical')
    expect(rows.get('POST /api/user/self/confirm')).toBe('session, critical')
    expect(rows.get('PUT /api/user/self/email')).toBe('user, critical')
  })

  test('has a test for every documented or served call', async () => {
    const tested = await testsByCall()

    const untested = everyRow(await served()).filter(({ name }) => !tested.has(name))

    expect(untested.map(({ call }) => call)).toEqual([])
  })
})
