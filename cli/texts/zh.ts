import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { commander } from './zh/commander.ts'
import { general } from './zh/general.ts'
import { lists } from './zh/lists.ts'
import { program } from './zh/program.ts'
import { run } from './zh/run.ts'
import { server } from './zh/server.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...general,
  ...program,
  ...commander,
  ...lists,
  ...run,
  ...account,
  ...server,
  ...user,
  ...wallet,
}
