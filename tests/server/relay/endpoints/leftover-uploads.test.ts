import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeLeftoverUploads, uploadFolderName } from '../../../../server/relay/endpoints/leftover-uploads.ts'

test('old uploads of dead processes are deleted, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leftovers-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const place = async (name: string, at = new Date()) => {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, '0'), 'x')
    await utimes(join(folder, name), at, at)
    return name
  }
  await place(`${uploadFolderName(gone)}old`, old)
  await place(`${uploadFolderName()}beforeRestart`, old)
  const kept = [
    await place(`${uploadFolderName(gone)}new`),
    await place(`${uploadFolderName(process.ppid)}old`, old),
    await place('tollgate-upload-else', old),
    await place('something', old),
  ]

  await removeLeftoverUploads(folder)

  expect((await readdir(folder)).sort()).toEqual(kept.sort())
})
