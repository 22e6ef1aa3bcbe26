export const login = {
  heading: '登录 {{name}}',
  username: '用户名或邮箱',
  password: '密码',
  submit: '登录',
  incomplete: '请输入用户名和密码！',
  done: '登录成功！',
}
