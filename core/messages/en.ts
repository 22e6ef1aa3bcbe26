import amount from './en/amount.json' with { type: 'json' }
import channelField from './en/channel-field.json' with { type: 'json' }
import channelName from './en/channel-name.json' with { type: 'json' }
import configuration from './en/configuration.json' with { type: 'json' }
import error from './en/error.json' with { type: 'json' }
import event from './en/event.json' with { type: 'json' }
import failure from './en/failure.json' with { type: 'json' }
import kind from './en/kind.json' with { type: 'json' }
import limit from './en/limit.json' with { type: 'json' }
import mail from './en/mail.json' with { type: 'json' }
import notice from './en/notice.json' with { type: 'json' }
import reason from './en/reason.json' with { type: 'json' }
import remark from './en/remark.json' with { type: 'json' }
import reply from './en/reply.json' with { type: 'json' }
import violation from './en/violation.json' with { type: 'json' }

/** English texts, by area and id. */
export const en = {
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
