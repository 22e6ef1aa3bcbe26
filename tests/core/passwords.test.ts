import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openToolkit } from '../../core/toolkit.ts'
import { whenDone } from '../support/lifetime.ts'
import { PASSWORD, testFolder } from '../support/toolkit.ts'

test('a password is stored as argon2id with 19 MiB and two passes unless a test asks for less', async () => {
  const dataFolder = await testFolder()
  const databaseUrl = `sqlite:${join(dataFolder, 'tollgate.db')}`
  const toolkit = await openToolkit({ databaseUrl, secret: undefined, dataFolder })
  whenDone(() => toolkit.close())

  await toolkit.accounts.createRoot(PASSWORD)

  const { password } = await toolkit.db.reader('users').first('password')
  expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
