import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cli } from './cli.ts'
import { CommandError, usageError } from './errors.ts'

const LAST_RESORT = 'vi'

/** A text that somebody has changed in their editor. */
export interface Edited {
  text: string
  file: string
  /** Removes the file: until then nothing of what was written is lost. */
  discard(): Promise<void>
}

/**
 * Opens $VISUAL or $EDITOR with a text, in a file that nobody else may read, and waits until it is closed. Throws EDITOR_FAILED
 * when it ends with an error, and a usage error where there is neither an editor nor a terminal for one. `alone`: this process
 * stands still meanwhile, since it would read keys that are meant for the editor.
 */
export async function editText(
  cli: Cli,
  { name, text, alone = false }: { name: string; text: string; alone?: boolean },
): Promise<Edited> {
  const editor = cli.env.VISUAL || cli.env.EDITOR || (cli.interactive ? LAST_RESORT : undefined)
  if (!editor) throw usageError(cli.say`there is no terminal to edit on: set EDITOR, or use tollgate option set`)
  const folder = await mkdtemp(join(cli.env.TMPDIR || tmpdir(), 'tollgate-edit-'))
  const file = join(folder, name)
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(file, text, { mode: 0o600 })
    // The shell takes the editor's own arguments apart, as in EDITOR="code --wait". What it prints is no data.
    const words = ['-c', `${editor} "$1"`, editor, file]
    const options: SpawnOptions = {
      stdio: ['inherit', process.stdout.isTTY ? 'inherit' : 2, 'inherit'],
      env: { ...cli.env },
      cwd: cli.folder,
    }
    const [code] = alone ? [spawnSync('sh', words, options).status] : await once(spawn('sh', words, options), 'exit')
    if (code !== 0)
      throw new CommandError('EDITOR_FAILED', cli.say`the editor ended with an error: nothing was changed`)
    return { text: await readFile(file, 'utf8'), file, discard }
  } catch (error) {
    await discard()
    throw error
  }
}
