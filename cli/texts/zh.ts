import type { Catalogue } from '../texts.ts'
import { accountTexts } from './zh/account.ts'
import { auditTexts } from './zh/audit.ts'
import { batchTexts } from './zh/batch.ts'
import { channelTexts } from './zh/channel.ts'
import { chatTexts } from './zh/chat.ts'
import { commander } from './zh/commander.ts'
import { dbTexts } from './zh/db.ts'
import { doctorTexts } from './zh/doctor.ts'
import { general } from './zh/general.ts'
import { labelTexts } from './zh/labels.ts'
import { ledgerTexts } from './zh/ledger.ts'
import { limitTexts } from './zh/limit.ts'
import { lists } from './zh/lists.ts'
import { logTexts } from './zh/log.ts'
import { moving } from './zh/moving.ts'
import { notifyTexts } from './zh/notify.ts'
import { optionTexts } from './zh/option.ts'
import { pricingTexts } from './zh/pricing.ts'
import { program } from './zh/program.ts'
import { redemptionTexts } from './zh/redemption.ts'
import { runTexts } from './zh/run.ts'
import { server } from './zh/server.ts'
import { settings } from './zh/settings.ts'
import { taskTexts } from './zh/task.ts'
import { teamTexts } from './zh/team.ts'
import { tokenTexts } from './zh/token.ts'
import { uiTexts } from './zh/ui.ts'
import { userTexts } from './zh/user.ts'
import { walletTexts } from './zh/wallet.ts'
import { watching } from './zh/watching.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...accountTexts,
  ...auditTexts,
  ...batchTexts,
  ...channelTexts,
  ...chatTexts,
  ...commander,
  ...dbTexts,
  ...doctorTexts,
  ...general,
  ...limitTexts,
  ...lists,
  ...logTexts,
  ...moving,
  ...notifyTexts,
  ...optionTexts,
  ...pricingTexts,
  ...program,
  ...redemptionTexts,
  ...runTexts,
  ...server,
  ...settings,
  ...labelTexts,
  ...taskTexts,
  ...teamTexts,
  ...tokenTexts,
  ...uiTexts,
  ...userTexts,
  ...walletTexts,
  ...watching,
  ...ledgerTexts,
}
