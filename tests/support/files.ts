import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the digest of each file in a folder: equal digests mean unchanged files. */
export async function digests(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digest(name)] as const)))
}
