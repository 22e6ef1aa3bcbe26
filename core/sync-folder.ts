import { open } from 'node:fs/promises'

/** Flushes a folder's entries to disk, so that new files survive a power failure. Windows cannot open a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
