import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { db } from './zh/db.ts'
import { doctor } from './zh/doctor.ts'
import { general } from './zh/general.ts'
import { log } from './zh/log.ts'
import { server } from './zh/server.ts'
import { settings } from './zh/settings.ts'
import { task } from './zh/task.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'
import { watching } from './zh/watching.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...account,
  ...db,
  ...doctor,
  ...log,
  ...server,
  ...settings,
  ...task,
  ...user,
  ...wallet,
  ...watching,
  ...general,
}
