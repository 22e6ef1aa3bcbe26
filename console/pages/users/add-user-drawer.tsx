import Input from '@arco-design/web-react/es/Input'
import { useTranslation } from 'react-i18next'
import { createUser } from '../../api/users.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { PasswordInput } from '../../components/form/password-input.tsx'
import { passwordRules, usePasswordMax } from '../../components/form/password-rules.ts'
import { useAction } from '../../components/saving.ts'
import { rejectInput } from '../../components/show-error.ts'

interface NewUserForm {
  username: string
  display_name: string
  password: string
}

const EMPTY: NewUserForm = { username: '', display_name: '', password: '' }

export function AddUserDrawer({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const max = usePasswordMax()
  const createAction = useAction({ run: createUser, done: t('user.created'), stale: ['user'] })

  async function submit(values: NewUserForm) {
    const username = values.username.trim()
    if (username === '' || values.password === '') rejectInput(t('user.incomplete'))
    return createAction.mutateAsync({ ...values, username, display_name: values.display_name.trim() })
  }

  return (
    <FormDrawer<NewUserForm>
      title={t('user.add')}
      visible={visible}
      initialValues={EMPTY}
      onSubmit={submit}
      onClose={onClose}
      place="add"
    >
      <Field label={t('account.username')} field="username" extra={t('account.usernameHint')}>
        <Input maxLength={12} autoFocus autoComplete="off" placeholder={t('user.usernamePlaceholder')} />
      </Field>
      <Field label={t('user.displayName')} field="display_name">
        <Input maxLength={20} autoComplete="off" placeholder={t('user.displayNamePlaceholder')} />
      </Field>
      <Field label={t('account.password')} field="password" rules={passwordRules(t, max)}>
        <PasswordInput
          maxLength={max}
          autoComplete="new-password"
          placeholder={t('user.newPasswordPlaceholder', { max })}
        />
      </Field>
    </FormDrawer>
  )
}
