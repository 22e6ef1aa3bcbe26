import type { CoreTexts } from './texts.ts'
import type { WithoutOne } from './translate.ts'
import amount from './zh/amount.json' with { type: 'json' }
import channelField from './zh/channel-field.json' with { type: 'json' }
import channelName from './zh/channel-name.json' with { type: 'json' }
import configuration from './zh/configuration.json' with { type: 'json' }
import error from './zh/error.json' with { type: 'json' }
import event from './zh/event.json' with { type: 'json' }
import failure from './zh/failure.json' with { type: 'json' }
import kind from './zh/kind.json' with { type: 'json' }
import limit from './zh/limit.json' with { type: 'json' }
import mail from './zh/mail.json' with { type: 'json' }
import notice from './zh/notice.json' with { type: 'json' }
import reason from './zh/reason.json' with { type: 'json' }
import remark from './zh/remark.json' with { type: 'json' }
import reply from './zh/reply.json' with { type: 'json' }
import violation from './zh/violation.json' with { type: 'json' }

export const zh: WithoutOne<CoreTexts> = {
  amount,
  channelField,
  channelName,
  configuration,
  error,
  event,
  failure,
  kind,
  limit,
  mail,
  notice,
  reason,
  remark,
  reply,
  violation,
}
