import Checkbox from '@arco-design/web-react/es/Checkbox'
import Form from '@arco-design/web-react/es/Form'
import { useTranslation } from 'react-i18next'
import { updateSelf } from '../../../api/users.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { PasswordInput } from '../../../components/form/password-input.tsx'
import { usePasswordMax } from '../../../components/form/password-rules.ts'
import { useAction } from '../../../components/saving.ts'
import { useUserPresent } from '../../../components/user-present.tsx'

interface PasswordForm {
  current: string
  password: string
  repeated: string
  revokeKeys: boolean
}

interface Props {
  username: string
  visible: boolean
  onClose: () => void
}

/**
 * A dialog that sets a new password. The server then signs out all other browsers and revokes the access token. The
 * server revokes API keys only if the user selects this.
 */
export function PasswordDialog({ username, visible, onClose }: Props) {
  const { t } = useTranslation()
  const max = usePasswordMax()
  const [form] = Form.useForm<PasswordForm>()
  const { ensure, dialog } = useUserPresent()
  const changeAction = useAction({
    run: ({ current, password, revokeKeys }: PasswordForm) =>
      ensure(() =>
        updateSelf({
          password,
          ...(current !== '' && { current_password: current }),
          ...(revokeKeys && { revoke_keys: true }),
        }),
      ),
    done: t('personal.passwordChanged'),
    stale: ['user', 'token'],
  })
  return (
    <>
      <FormDialog<PasswordForm>
        title={t('personal.changePassword')}
        visible={visible}
        form={form}
        initialValues={{ current: '', password: '', repeated: '', revokeKeys: false }}
        onSubmit={changeAction.mutateAsync}
        onClose={onClose}
        submitText={t('personal.changePassword')}
      >
        {/* Password managers store this name with the password. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Field label={t('personal.currentPassword')} field="current" extra={t('personal.currentPasswordHint')}>
          <PasswordInput autoFocus autoComplete="current-password" />
        </Field>
        <Field
          label={t('account.newPassword')}
          field="password"
          extra={t('account.passwordHint', { max })}
          rules={[
            { required: true, message: t('personal.newPasswordMissing') },
            { minLength: 8, message: t('account.passwordShort') },
            { maxLength: max, message: t('account.passwordLong', { max }) },
          ]}
        >
          <PasswordInput maxLength={max} autoComplete="new-password" />
        </Field>
        <Field
          label={t('personal.passwordAgain')}
          field="repeated"
          dependencies={['password']}
          rules={[
            {
              validator: (repeated: string | undefined, callback) =>
                callback(
                  (repeated ?? '') === form.getFieldValue('password') ? undefined : t('account.passwordsDiffer'),
                ),
            },
          ]}
        >
          <PasswordInput maxLength={max} autoComplete="new-password" />
        </Field>
        <Form.Item field="revokeKeys" triggerPropName="checked" extra={t('personal.revokeKeysHint')}>
          <Checkbox>{t('personal.revokeKeys')}</Checkbox>
        </Form.Item>
      </FormDialog>
      {dialog}
    </>
  )
}
