import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type User, updateSelf, useSelf } from '../../api/users.ts'
import { BoundAccounts } from '../../components/bound-accounts.tsx'
import { Field } from '../../components/form/field.tsx'
import { PasswordInput } from '../../components/form/password-input.tsx'
import { passwordRules, usePasswordMax } from '../../components/form/password-rules.ts'
import { useLeaveGuard } from '../../components/leave-guard.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useAction } from '../../components/saving.ts'
import { useUserPresent } from '../../components/user-present.tsx'
import { session, startSession } from '../../session.ts'
import './profile.css'

/** The page on which users edit their account. */
export default function ProfilePage() {
  const { t } = useTranslation()
  const self = useSelf({ refetchOnWindowFocus: false })
  return (
    <PageFrame title={t('screen.profile')}>
      <div className="profile">
        {self.isPending && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
        {self.isError && <LoadFailure error={self.error} onRetry={() => void self.refetch()} />}
        {self.data && (
          <>
            <section className="panel">
              <p className="panel-note">{t('user.profileHint')}</p>
              <ProfileForm self={self.data} />
            </section>
            <section className="panel">
              <BoundAccounts user={self.data} />
            </section>
          </>
        )}
      </div>
    </PageFrame>
  )
}

type ProfileValues = Pick<User, 'username' | 'display_name'> & { password: string }

const FIELDS = ['username', 'display_name', 'password'] as const

const trimValues = ({ username, display_name, password }: ProfileValues): ProfileValues => ({
  username: username.trim(),
  display_name: display_name.trim(),
  password,
})

function ProfileForm({ self }: { self: User }) {
  const { t } = useTranslation()
  const max = usePasswordMax()
  const [form] = Form.useForm<ProfileValues>()
  const [dirty, setDirty] = useState(false)
  const guard = useLeaveGuard(dirty)
  const { ensure, dialog } = useUserPresent()
  const saveAction = useAction({
    run: ({ password, ...names }: ProfileValues) =>
      ensure(() => updateSelf({ ...names, ...(password !== '' && { password }) })),
    done: t('user.updated'),
    after: (_, values: ProfileValues) => {
      const { username, display_name } = values
      const currentValues = trimValues(form.getFieldsValue() as ProfileValues)
      const savedFields = FIELDS.filter((field) => currentValues[field] === values[field])
      // The saved fields show the stored, trimmed values. Fields that the user has changed since then keep their input.
      for (const field of savedFields) form.setFieldValue(field, field === 'password' ? '' : values[field])
      setDirty(savedFields.length < FIELDS.length)
      const { user } = session.get()
      if (user) startSession({ ...user, username, display_name })
    },
    stale: ['user'],
  })

  return (
    <>
      <Form<ProfileValues>
        form={form}
        layout="vertical"
        initialValues={{ username: self.username, display_name: self.display_name, password: '' }}
        onSubmit={(values) => saveAction.mutate(trimValues(values))}
        onValuesChange={() => setDirty(true)}
        onSubmitFailed={() => Message.error(t('action.checkInput'))}
      >
        <Field
          label={t('account.username')}
          field="username"
          rules={[{ required: true, match: /\S/, message: t('user.usernamePlaceholder') }]}
        >
          <Input autoComplete="username" placeholder={t('user.usernamePlaceholder')} />
        </Field>
        <Field
          label={t('user.displayName')}
          field="display_name"
          rules={[{ required: true, match: /\S/, message: t('user.displayNameMissing') }]}
        >
          <Input maxLength={20} autoComplete="nickname" placeholder={t('user.displayNamePlaceholder')} />
        </Field>
        <Field label={t('account.password')} field="password" rules={passwordRules(t, max)}>
          <PasswordInput maxLength={max} autoComplete="new-password" placeholder={t('user.passwordPlaceholder')} />
        </Field>
        <Button type="primary" htmlType="submit" loading={saveAction.isPending}>
          {t('user.saveProfile')}
        </Button>
        {guard}
      </Form>
      {dialog}
    </>
  )
}
