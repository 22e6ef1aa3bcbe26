import { openToolkit } from '../../core/toolkit.ts'
import type { Opened } from '../backing.ts'
import type { Cli } from '../cli.ts'
import { firstStart } from '../root-user.ts'
import { toConfig } from '../settings.ts'
import { terminalOrigin } from './terminal.ts'
import { localToolkit } from './toolkit.ts'

/** The database that the settings name; whoever may read its file, and its key, acts for root. */
export async function openLocal({ cli }: { cli: Cli }): Promise<Opened> {
  const config = toConfig(await cli.settings())
  const local = await openToolkit(config)
  try {
    const { root, password } = await firstStart(local, config)
    if (password) cli.note(cli.say`First start: created the user root with the password ${password} (shown only now)`)
    return {
      toolkit: localToolkit(local, config),
      actor: { id: root.id, role: root.role, origin: terminalOrigin() },
      local,
    }
  } catch (error) {
    await local.close()
    throw error
  }
}
