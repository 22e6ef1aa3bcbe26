import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { sendEmailCode } from '../../api/sign-in.ts'
import { useAction } from '../saving.ts'
import type { BotCheckState } from './bot-check.tsx'
import { useCountdown } from './countdown.ts'

/** Returns the state of a button that mails a verification code to an address, at most every 30 seconds. */
export function useEmailCode(check: BotCheckState) {
  const { t } = useTranslation()
  const { left, run } = useCountdown()
  const sendAction = useAction({
    run: (email: string) => check.run((turnstile) => run(() => sendEmailCode({ email, turnstile }))),
    done: t('account.codeSent'),
  })
  return {
    /** The button's text. */
    text: left > 0 ? t('account.codeAgain', { left }) : t('account.getCode'),
    disabled: left > 0 || sendAction.isPending,
    /** Sends the code. Reports a missing address or a bot check that has not passed. */
    send(email: string) {
      if (email === '') Message.error(t('account.emailMissing'))
      else if (check.passed()) sendAction.mutate(email)
    },
  }
}
