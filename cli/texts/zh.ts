import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { audit } from './zh/audit.ts'
import { batch } from './zh/batch.ts'
import { channel } from './zh/channel.ts'
import { chat } from './zh/chat.ts'
import { commander } from './zh/commander.ts'
import { db } from './zh/db.ts'
import { doctor } from './zh/doctor.ts'
import { general } from './zh/general.ts'
import { ledger } from './zh/ledger.ts'
import { limit } from './zh/limit.ts'
import { lists } from './zh/lists.ts'
import { log } from './zh/log.ts'
import { moving } from './zh/moving.ts'
import { notify } from './zh/notify.ts'
import { option } from './zh/option.ts'
import { pricing } from './zh/pricing.ts'
import { program } from './zh/program.ts'
import { redemption } from './zh/redemption.ts'
import { run } from './zh/run.ts'
import { server } from './zh/server.ts'
import { settings } from './zh/settings.ts'
import { shownWords } from './zh/shown-words.ts'
import { task } from './zh/task.ts'
import { team } from './zh/team.ts'
import { token } from './zh/token.ts'
import { ui } from './zh/ui.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'
import { watching } from './zh/watching.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...account,
  ...audit,
  ...batch,
  ...channel,
  ...chat,
  ...commander,
  ...db,
  ...doctor,
  ...general,
  ...limit,
  ...lists,
  ...log,
  ...moving,
  ...notify,
  ...option,
  ...pricing,
  ...program,
  ...redemption,
  ...run,
  ...server,
  ...settings,
  ...shownWords,
  ...task,
  ...team,
  ...token,
  ...ui,
  ...user,
  ...wallet,
  ...watching,
  ...ledger,
}
