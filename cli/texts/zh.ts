import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { commander } from './zh/commander.ts'
import { db } from './zh/db.ts'
import { doctor } from './zh/doctor.ts'
import { general } from './zh/general.ts'
import { lists } from './zh/lists.ts'
import { log } from './zh/log.ts'
import { program } from './zh/program.ts'
import { run } from './zh/run.ts'
import { server } from './zh/server.ts'
import { task } from './zh/task.ts'
import { ui } from './zh/ui.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'
import { watching } from './zh/watching.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...account,
  ...commander,
  ...db,
  ...doctor,
  ...general,
  ...lists,
  ...log,
  ...program,
  ...run,
  ...server,
  ...task,
  ...ui,
  ...user,
  ...wallet,
  ...watching,
}
