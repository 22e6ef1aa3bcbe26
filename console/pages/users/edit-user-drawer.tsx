import Button from '@arco-design/web-react/es/Button'
import Descriptions from '@arco-design/web-react/es/Descriptions'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Select from '@arco-design/web-react/es/Select'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getUser, type User, updateUser } from '../../api/users.ts'
import { BoundAccounts } from '../../components/bound-accounts.tsx'
import { Field } from '../../components/form/field.tsx'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { useLast, useOpenings } from '../../components/form/openings.ts'
import { PasswordInput } from '../../components/form/password-input.tsx'
import { passwordRules, usePasswordMax } from '../../components/form/password-rules.ts'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { ThresholdEditor } from '../../components/notices/thresholds.tsx'
import { Quota } from '../../components/quota.tsx'
import { RoleTag } from '../../components/role-tag.tsx'
import { useAction } from '../../components/saving.ts'
import { rejectInput } from '../../components/show-error.ts'
import { useUserPresent } from '../../components/user-present.tsx'
import { session, startSession } from '../../session.ts'
import { QuotaDialog } from './quota-dialog.tsx'

type UserForm = Pick<User, 'username' | 'display_name' | 'group' | 'quota'> & { password: string; debt_limit: number }

interface Props {
  /** The id of the user to edit; undefined closes the drawer. */
  id: number | undefined
  groups: readonly string[]
  onClose: () => void
}

/** A form for a user. Each opening has its own form, so a late reply for one user cannot change another form. */
export function EditUserDrawer(props: Props) {
  const openings = useOpenings(props.id !== undefined)
  return <OneUser key={`${openings} ${useLast(props.id)}`} {...props} />
}

function OneUser({ id, groups, onClose }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [form] = Form.useForm<UserForm>()
  const [addingQuota, setAddingQuota] = useState(false)
  const queryKey = ['user', 'one', id]
  const user = useQuery({
    queryKey,
    queryFn: ({ signal }) => getUser(id ?? 0, signal),
    enabled: id !== undefined,
    // Load the user again at each opening, and not on focus: an edit sends only the fields that differ from the loaded
    // user.
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  /** The user as first loaded, with the balance as returned by QuotaDialog. Refetches do not change it. */
  const [initialUser, setInitialUser] = useState<User>()
  if (initialUser?.id !== user.data?.id) setInitialUser(user.data)
  const { ensure, dialog } = useUserPresent()
  const saveAction = useAction({
    run: async (values: UserForm) => {
      if (!initialUser) return
      await ensure(() => updateUser({ id: initialUser.id, ...changesOf(initialUser, values) }))
      const { user: me } = session.get()
      const { username, display_name, group } = trimNames(values)
      if (me?.id === initialUser.id) startSession({ ...me, username, display_name, group })
    },
    done: t('user.updated'),
    stale: ['user'],
  })

  async function submit(values: UserForm) {
    const isUnchanged = initialUser && Object.keys(changesOf(initialUser, values)).length === 0
    return isUnchanged ? rejectInput(t('action.nothingChanged'), 'info') : saveAction.mutateAsync(values)
  }

  function showBalance(changed: User) {
    queryClient.setQueryData(queryKey, changed)
    // Keep the other fields. Otherwise, an edit would revert another administrator's concurrent changes of them.
    setInitialUser((before) => before && { ...before, quota: changed.quota })
    form.setFieldValue('quota', changed.quota)
  }

  return (
    <>
      <FormDrawer<UserForm>
        title={t('user.edit')}
        visible={id !== undefined}
        form={form}
        initialValues={initialUser && formOf(initialUser)}
        loading={user}
        onSubmit={submit}
        onClose={onClose}
        place="path"
      >
        <UserFields groups={groups} onAddQuota={() => setAddingQuota(true)} />
        {user.data && (
          <>
            <UserFacts user={user.data} />
            <BoundAccounts user={user.data} />
            <ThresholdEditor subject="user" subject_id={user.data.id} userId={user.data.id} />
          </>
        )}
      </FormDrawer>
      {dialog}
      {/* Outside of the drawer's form, because submitting the dialog would otherwise also submit the drawer. */}
      {user.data && (
        <QuotaDialog
          user={user.data}
          visible={addingQuota}
          onDone={showBalance}
          onClose={() => setAddingQuota(false)}
        />
      )}
    </>
  )
}

function UserFields({ groups, onAddQuota }: { groups: readonly string[]; onAddQuota: () => void }) {
  const { t } = useTranslation()
  const max = usePasswordMax()
  return (
    <>
      <Field
        label={t('account.username')}
        field="username"
        rules={[{ required: true, match: /\S/, message: t('user.usernamePlaceholder') }]}
      >
        <Input autoComplete="off" placeholder={t('user.usernamePlaceholder')} />
      </Field>
      <Field label={t('account.password')} field="password" rules={passwordRules(t, max)}>
        <PasswordInput maxLength={max} autoComplete="new-password" placeholder={t('user.passwordPlaceholder')} />
      </Field>
      <Field label={t('user.displayName')} field="display_name">
        <Input maxLength={20} autoComplete="off" placeholder={t('user.displayNamePlaceholder')} />
      </Field>
      <Field label={t('field.group')} field="group" extra={t('user.groupHint')}>
        <Select showSearch options={[...groups]} placeholder={t('user.groupPlaceholder')} />
      </Field>
      <Field
        label={t('user.balance')}
        field="quota"
        rules={[{ required: true, message: t('user.balanceMissing') }]}
        extra={
          <Button size="mini" icon={<IconPlus />} style={{ marginTop: 8 }} onClick={onAddQuota}>
            {t('user.addQuota')}
          </Button>
        }
      >
        <QuotaInput min={Number.MIN_SAFE_INTEGER} />
      </Field>
      <Field
        label={t('user.debtLimit')}
        field="debt_limit"
        rules={[{ required: true, message: t('user.balanceMissing') }]}
        extra={t('user.debtLimitHint')}
      >
        <QuotaInput min={0} />
      </Field>
    </>
  )
}

const formOf = (user: User): UserForm => ({ ...user, password: '', debt_limit: user.debt_limit ?? 0 })

/** Returns the values with trimmed names, as the server stores them. */
const trimNames = ({ username, display_name, ...otherValues }: UserForm): UserForm => ({
  ...otherValues,
  username: username.trim(),
  display_name: display_name.trim(),
})

/** Returns only the changed fields. Other fields, such as the balance, may have changed on the server meanwhile. */
function changesOf(initialUser: User, values: UserForm) {
  const initialForm = trimNames(formOf(initialUser))
  const { username, display_name, group, quota, debt_limit, password } = trimNames(values)
  return {
    ...(username !== initialForm.username && { username }),
    ...(display_name !== initialForm.display_name && { display_name }),
    ...(group !== initialForm.group && { group }),
    ...(quota !== initialForm.quota && { quota }),
    ...(debt_limit !== initialForm.debt_limit && { debt_limit }),
    ...(password !== '' && { password }),
  }
}

/** The read-only data of a user. */
function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation()
  return (
    <Descriptions
      title={t('user.facts')}
      column={1}
      size="small"
      data={[
        { label: t('field.id'), value: user.id },
        { label: t('field.role'), value: <RoleTag role={user.role} /> },
        { label: t('channel.used'), value: <Quota value={user.used_quota} /> },
        { label: t('user.requests'), value: user.request_count },
        { label: t('user.invited'), value: user.aff_count },
        { label: t('user.earnings'), value: <Quota value={user.aff_quota} /> },
        { label: t('user.earned'), value: <Quota value={user.aff_history_quota} /> },
        { label: t('user.inviter'), value: user.inviter_id === 0 ? t('user.noInviter') : `#${user.inviter_id}` },
      ]}
    />
  )
}
