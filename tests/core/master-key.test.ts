import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecrets, sameSecret } from '../../core/secrets.ts'
import { openToolkit } from '../../core/toolkit.ts'
import { digests } from '../support/files.ts'
import { onBoth, openTestToolkit, testFolder } from '../support/toolkit.ts'

const FILE = 'tollgate.secret'

onBoth('the master key', (open) => {
  test('is created in a file with mode 0600, and reused at the next start', async () => {
    const { toolkit, root, config, close } = await open()
    const file = join(config.dataFolder, FILE)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const key = await readFile(file, 'utf8')
    expect(key).toMatch(/^[0-9a-zA-Z]{64}\n$/)
    const token = await toolkit.tokens.create(root, { name: 'kept' })
    await close()

    const again = await openToolkit(config)

    expect(await again.tokens.get(root, token.id)).toMatchObject({ key: token.key })
    expect(await readFile(file, 'utf8')).toBe(key)
    await again.close()
  })

  test('that is wrong, from the environment or the file, is rejected and changes nothing on disk', async () => {
    const { config, close } = await open()
    await close()
    const before = await digests(config.dataFolder)

    await expect(openToolkit({ ...config, secret: 'quite another secret' })).rejects.toMatchObject({
      code: 'SECRET_WRONG',
    })

    expect(await digests(config.dataFolder)).toEqual(before)
    await writeFile(join(config.dataFolder, FILE), 'x'.repeat(64))
    await expect(openToolkit(config)).rejects.toMatchObject({ code: 'SECRET_WRONG' })
  })

  test('that is missing is an error, and no new one is created', async () => {
    const { config, close } = await open()
    await close()
    await rm(join(config.dataFolder, FILE))
    const before = await digests(config.dataFolder)

    await expect(openToolkit(config)).rejects.toMatchObject({ code: 'SECRET_MISSING' })

    expect(await digests(config.dataFolder)).toEqual(before)
  })
})

test('a master key from the environment leaves no file', async () => {
  const dataFolder = await testFolder()
  const config = { dataFolder, databaseUrl: `sqlite:${dataFolder}/t.db`, secret: 'a secret of this test' }

  const toolkit = await openToolkit(config)
  await toolkit.close()

  expect(Object.keys(await digests(dataFolder))).toEqual(['t.db'])
})

test('an empty key file of a new database is rejected, not used as a key', async () => {
  const dataFolder = await testFolder()
  await writeFile(join(dataFolder, FILE), '\n')
  const opening = openToolkit({ dataFolder, databaseUrl: `sqlite:${dataFolder}/t.db`, secret: undefined })
  const outcome = await opening.then(
    async (toolkit) => {
      await toolkit.close()
      return 'opened'
    },
    (error: { code: string }) => error.code,
  )
  expect(outcome).toBe('SECRET_MISSING')
})

test('the key file of another database is rejected', async () => {
  // Databases of different clocks are not copies of the same prepared one.
  const openAt = (start: number) => openTestToolkit({ now: () => start })
  const [one, two] = [await openAt(1_700_000_001), await openAt(1_700_000_002)]
  const [first, second] = await Promise.all(
    [one, two].map(({ config }) => readFile(join(config.dataFolder, FILE), 'utf8')),
  )
  expect(first).not.toBe(second)
})

test('sealed text opens only with the same key, unaltered, and is never the same twice', () => {
  const secrets = createSecrets('one key')
  const sealed = secrets.seal('text ✓')

  expect(secrets.open(sealed)).toBe('text ✓')
  expect(secrets.seal('text ✓')).not.toBe(sealed)
  expect(() => createSecrets('another key').open(sealed)).toThrow()
  const altered = Buffer.from(sealed.slice(3), 'base64')
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  expect(() => secrets.open(`v1:${altered.toString('base64')}`)).toThrow()
  expect(() => secrets.open('text')).toThrow('Not a sealed value')
  expect([secrets.seal(''), secrets.open('')]).toEqual(['', ''])
  expect(secrets.digest('a')).toBe(createSecrets('one key').digest('a'))
  expect(secrets.digest('a')).not.toBe(createSecrets('another key').digest('a'))
  expect([sameSecret('a', 'a'), sameSecret('a', 'b'), sameSecret('a', 'ab')]).toEqual([true, false, false])
})
