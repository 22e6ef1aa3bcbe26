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

  test('has a test for every documented or served call', async () => {
    const tested = await testsByCall()

    const untested = everyRow(await served()).filter(({ name }) => !tested.has(name))

    expect(untested.map(({ call }) => call)).toEqual([])
  })
})
