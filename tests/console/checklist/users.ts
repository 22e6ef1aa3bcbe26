import type { CoverageRow } from './row.ts'

const USERS = 'tests/console/browser/users.test.ts'
const LIST = `${USERS} › the list of users`
const NEW = `${USERS} › a new user`
const EDITOR = `${USERS} › the editor of a user`
const PROFILE = "tests/console/browser/profile.test.ts › the user's profile"

const SHOWN = `${LIST} › shows figures, invitations, role and state of each`
const SEARCHED = `${LIST} › is searched by keyword and group, with pages`
const ACTED = `${LIST} › applies an action, and updates the row from the server's reply`
const REFUSED = `${LIST} › reverts a row if the server rejects a change, and shows why`
const LEVELS = `${LIST} › offers an administrator only the actions of their level`
const ADDED = `${NEW} › requires a name and a password`
const CHANGED = `${EDITOR} › changes name, group, password and balance`
const QUOTA = `${EDITOR} › adds quota immediately, and shows the read-only fields`
const OWN = `${PROFILE} › is changed, and the top bar shows the new name immediately`

/** User management, and one's own profile. */
export const rows: CoverageRow[] = [
  { spec: 'A §2', line: 'User management at /user: search by keyword and group', test: SEARCHED },
  { spec: 'A §2', line: 'User management: paging', test: SEARCHED },
  { spec: 'A §2', line: 'User management: add-user drawer', test: ADDED },
  { spec: 'A §2', line: 'User management: edit-user drawer', test: CHANGED },
  { spec: 'A §2', line: 'User management: actions on each row', test: ACTED },
  { spec: 'A §2', line: '/user/edit/{id} edits another user', test: CHANGED },
  { spec: 'A §2', line: '/user/edit edits oneself', test: OWN },
  { spec: 'A §3', line: 'User: id, username, display_name, password (blank on load), group, quota', test: CHANGED },
  { spec: 'A §3', line: 'User: github_id, wechat_id, telegram_id, linux_do_id, email, to be read', test: QUOTA },
  {
    spec: 'A §3',
    line: 'User: quota, used_quota, request_count, aff_count, aff_history_quota, inviter_id (0: none)',
    test: SHOWN,
  },
  { spec: 'A §3', line: 'User: DeletedAt that is not null means deleted', test: SHOWN },
  { spec: 'A §4', line: 'Status 1 已激活, 2 已封禁, others 未知状态', test: SHOWN },
  { spec: 'A §4', line: 'Status 3 blocks enabling: the button is disabled', test: SHOWN },
  { spec: 'A §4', line: 'An enabled user can be disabled; otherwise enabling is offered', test: ACTED },
  { spec: 'A §4', line: 'Role 1 普通用户, 10 管理员, 100 超级管理员', test: SHOWN },
  {
    spec: 'A §4',
    line: 'Any other role 未知身份',
    test: 'tests/console/components/role-tag.test.ts › label of role 7',
  },
  { spec: 'A §4', line: 'Row actions: promote 提升, demote 降级, disable 禁用, enable 启用, delete 注销', test: ACTED },
  { spec: 'A §4', line: 'Delete 注销 is irreversible and marks the row; deleted rows have no actions', test: ACTED },
  { spec: 'A §4', line: 'The row takes on status and role of the answer', test: ACTED },
  { spec: 'A §5', line: 'Add user: 用户名和密码不能为空！', test: ADDED },
  { spec: 'A §5', line: 'Edit user: the password’s placeholder says minimum 8', test: CHANGED },
  { spec: 'A §6', line: 'Group and quota are shown only when editing by id', test: OWN },
  {
    spec: 'A §6',
    line: 'User management is of administrators',
    test: 'tests/console/browser/every-screen.test.ts › a common user › sees on administrator screens that access is denied',
  },
  { spec: 'A §6', line: 'No user reads, changes or deletes users of the same or a higher level', test: LEVELS },
  {
    spec: 'A §6',
    line: 'No user reads users of the same or a higher level, by address either',
    test: `${EDITOR} › shows why a user cannot be edited`,
  },
  { spec: 'A §6', line: 'An administrator cannot promote others; root can', test: LEVELS },
  {
    spec: 'A §6',
    line: 'Root cannot be demoted, deleted or disabled',
    test: 'tests/console/pages/users/levels.test.ts › actions offered for a user › root, to root: to be edited alone',
  },
  { spec: 'A §7', line: 'GET /api/user/?p&page_size', test: SEARCHED },
  { spec: 'A §7', line: 'GET /api/user/search', test: SEARCHED },
  { spec: 'A §7', line: 'GET /api/user/{id}', test: CHANGED },
  { spec: 'A §7', line: 'PUT /api/user/ with quota as integer', test: CHANGED },
  { spec: 'A §7', line: 'PUT /api/user/self with user fields', test: OWN },
  { spec: 'A §7', line: 'POST /api/user/ with username, display_name, password', test: ADDED },
  { spec: 'A §7', line: 'POST /api/user/manage with id and action', test: ACTED },
  { spec: 'A §7', line: 'GET /api/group/', test: SEARCHED },
  { spec: 'A §8', line: 'success false: the server’s message as an error toast', test: REFUSED },
  {
    spec: 'A §8',
    line: 'HTTP 429: 错误：请求次数过多，请稍后再试！',
    test: `${PROFILE} › can be reloaded after a failure`,
  },
  { spec: 'A §8', line: '用户账户创建成功！', test: ADDED },
  { spec: 'A §8', line: '用户信息更新成功！', test: CHANGED },
  { spec: 'A §8', line: '操作成功完成！', test: ACTED },
  { spec: 'A §8', line: 'Form validation: 请检查输入', test: OWN },
  { spec: 'A §9', line: 'Password minimum 8', test: OWN },
]
