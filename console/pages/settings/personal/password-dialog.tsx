import Form from '@arco-design/web-react/es/Form'
import { useTranslation } from 'react-i18next'
import { updateSelf } from '../../../api/users.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { PasswordInput } from '../../../components/form/password-input.tsx'
import { useAct } from '../../../components/saving.ts'

interface PasswordForm {
  password: string
  again: string
}

interface Props {
  username: string
  visible: boolean
  onClose: () => void
}

/** A new password signs all other browsers out; this one stays. */
export function PasswordDialog({ username, visible, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<PasswordForm>()
  const changing = useAct({ run: updateSelf, done: t('personal.passwordChanged') })
  return (
    <FormDialog<PasswordForm>
      title={t('personal.changePassword')}
      visible={visible}
      form={form}
      initialValues={{ password: '', again: '' }}
      onSubmit={({ password }) => changing.mutateAsync({ password })}
      onClose={onClose}
      submitText={t('personal.changePassword')}
    >
      {/* For password managers: they store it with the name. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Field
        label={t('personal.newPassword')}
        field="password"
        extra={t('account.passwordHint')}
        rules={[
          { required: true, message: t('personal.newPasswordMissing') },
          { minLength: 8, message: t('account.passwordShort') },
        ]}
      >
        <PasswordInput maxLength={20} autoFocus autoComplete="new-password" />
      </Field>
      <Field
        label={t('personal.passwordAgain')}
        field="again"
        dependencies={['password']}
        rules={[
          {
            validator: (again: string | undefined, callback) =>
              callback((again ?? '') === form.getFieldValue('password') ? undefined : t('account.passwordsDiffer')),
          },
        ]}
      >
        <PasswordInput maxLength={20} autoComplete="new-password" />
      </Field>
    </FormDialog>
  )
}
