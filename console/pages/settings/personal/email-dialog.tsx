import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import { useTranslation } from 'react-i18next'
import { bindEmail } from '../../../api/users.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { useAction } from '../../../components/saving.ts'
import { rejectInput } from '../../../components/show-error.ts'
import { BotCheck, useBotCheck } from '../../../components/sign-in/bot-check.tsx'
import { useEmailCode } from '../../../components/sign-in/email-code.ts'
import { useUserPresent } from '../../../components/user-present.tsx'

interface EmailForm {
  email: string
  code: string
}

/** A dialog that binds an email address. The user proves the address with a code that is mailed to it. */
export function EmailDialog({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [form] = Form.useForm<EmailForm>()
  const check = useBotCheck()
  const emailCode = useEmailCode(check)
  const { ensure, dialog } = useUserPresent()
  const bindAction = useAction({
    run: (proof: EmailForm) => ensure(() => bindEmail(proof)),
    done: t('personal.emailBound'),
    stale: ['user'],
  })

  async function submit(values: EmailForm) {
    const email = values.email.trim()
    const code = values.code.trim()
    if (email !== '' && code !== '') return bindAction.mutateAsync({ email, code })
    return rejectInput(email === '' ? t('account.emailMissing') : t('account.codeMissing'))
  }

  return (
    <>
      <FormDialog<EmailForm>
        title={t('personal.bindEmail')}
        visible={visible}
        form={form}
        initialValues={{ email: '', code: '' }}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field label={t('account.email')} field="email">
          <Input type="email" autoFocus autoComplete="email" placeholder="name@example.com" />
        </Field>
        <div className="with-button code-field">
          <Field label={t('account.code')} field="code">
            <Input autoComplete="one-time-code" spellCheck={false} />
          </Field>
          <Button
            disabled={emailCode.disabled}
            onClick={() => emailCode.send(String(form.getFieldValue('email') ?? '').trim())}
          >
            {emailCode.text}
          </Button>
        </div>
        <BotCheck check={check} />
      </FormDialog>
      {dialog}
    </>
  )
}
