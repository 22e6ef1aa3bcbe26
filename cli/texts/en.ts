import account from './en/account.json' with { type: 'json' }
import audit from './en/audit.json' with { type: 'json' }
import batch from './en/batch.json' with { type: 'json' }
import channel from './en/channel.json' with { type: 'json' }
import chat from './en/chat.json' with { type: 'json' }
import column from './en/column.json' with { type: 'json' }
import db from './en/db.json' with { type: 'json' }
import doctor from './en/doctor.json' with { type: 'json' }
import general from './en/general.json' with { type: 'json' }
import label from './en/label.json' with { type: 'json' }
import ledger from './en/ledger.json' with { type: 'json' }
import limit from './en/limit.json' with { type: 'json' }
import list from './en/list.json' with { type: 'json' }
import log from './en/log.json' with { type: 'json' }
import moving from './en/moving.json' with { type: 'json' }
import notify from './en/notify.json' with { type: 'json' }
import option from './en/option.json' with { type: 'json' }
import pricing from './en/pricing.json' with { type: 'json' }
import program from './en/program.json' with { type: 'json' }
import redemption from './en/redemption.json' with { type: 'json' }
import run from './en/run.json' with { type: 'json' }
import server from './en/server.json' with { type: 'json' }
import setting from './en/setting.json' with { type: 'json' }
import task from './en/task.json' with { type: 'json' }
import team from './en/team.json' with { type: 'json' }
import time from './en/time.json' with { type: 'json' }
import token from './en/token.json' with { type: 'json' }
import ui from './en/ui.json' with { type: 'json' }
import usage from './en/usage.json' with { type: 'json' }
import user from './en/user.json' with { type: 'json' }
import wallet from './en/wallet.json' with { type: 'json' }
import watching from './en/watching.json' with { type: 'json' }

/** English texts, by area and id. */
export const en = {
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
