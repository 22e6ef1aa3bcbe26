import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDocument } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { callTypes } from './schema.ts'

/** Rewritten by `npm run api-types`. */
const TYPES = fileURLToPath(new URL('../../../console/api/schema.d.ts', import.meta.url))

test("the console's types match the served document (update them with: npm run api-types)", async () => {
  const { url } = await openTestGateway()

  const types = await callTypes(await readDocument(url))

  await expect(types).toMatchFileSnapshot(TYPES)
})
