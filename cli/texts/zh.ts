import type { WithoutOne } from '../../core/messages/translate.ts'
import type { Resources } from '../texts.ts'
import account from './zh/account.json' with { type: 'json' }
import audit from './zh/audit.json' with { type: 'json' }
import batch from './zh/batch.json' with { type: 'json' }
import channel from './zh/channel.json' with { type: 'json' }
import chat from './zh/chat.json' with { type: 'json' }
import column from './zh/column.json' with { type: 'json' }
import db from './zh/db.json' with { type: 'json' }
import doctor from './zh/doctor.json' with { type: 'json' }
import general from './zh/general.json' with { type: 'json' }
import label from './zh/label.json' with { type: 'json' }
import ledger from './zh/ledger.json' with { type: 'json' }
import limit from './zh/limit.json' with { type: 'json' }
import list from './zh/list.json' with { type: 'json' }
import log from './zh/log.json' with { type: 'json' }
import moving from './zh/moving.json' with { type: 'json' }
import notify from './zh/notify.json' with { type: 'json' }
import option from './zh/option.json' with { type: 'json' }
import pricing from './zh/pricing.json' with { type: 'json' }
import program from './zh/program.json' with { type: 'json' }
import redemption from './zh/redemption.json' with { type: 'json' }
import run from './zh/run.json' with { type: 'json' }
import server from './zh/server.json' with { type: 'json' }
import setting from './zh/setting.json' with { type: 'json' }
import task from './zh/task.json' with { type: 'json' }
import team from './zh/team.json' with { type: 'json' }
import time from './zh/time.json' with { type: 'json' }
import token from './zh/token.json' with { type: 'json' }
import ui from './zh/ui.json' with { type: 'json' }
import usage from './zh/usage.json' with { type: 'json' }
import user from './zh/user.json' with { type: 'json' }
import wallet from './zh/wallet.json' with { type: 'json' }
import watching from './zh/watching.json' with { type: 'json' }

export const zh: WithoutOne<Resources> = {
  account,
  audit,
  batch,
  channel,
  chat,
  column,
  usage,
  db,
  doctor,
  general,
  label,
  ledger,
  limit,
  list,
  log,
  moving,
  notify,
  option,
  pricing,
  program,
  redemption,
  run,
  server,
  setting,
  task,
  team,
  time,
  token,
  ui,
  user,
  wallet,
  watching,
}
