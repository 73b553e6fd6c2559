"""Where a browser gives the token of a server that wants one."""

from __future__ import annotations

import hmac

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.serve.brake import Brake
from osler.serve.guard import COOKIE, cookie_of
from osler.serve.page import back_to, form_of, problem_page, shown
from osler.serve.problems import plain_problem

router = APIRouter()


@router.get("/login")
async def view(request: Request) -> Response:
    onward = back_to(request.query_params.get("next", "/"))
    return shown(request, "login.html", view="", title="Sign in", onward=onward, wrong=False)


@router.post("/login")
async def sign_in(request: Request) -> Response:
    token: str | None = request.app.state.token
    fields = await form_of(request)
    onward = back_to(fields.get("next", "/"))
    given = fields.get("token", "")
    brake: Brake = request.app.state.brake
    client = request.client.host if request.client else ""
    if brake.waits(client):
        problem = plain_problem(429, "E100", "too many wrong tokens came from there")
        return problem_page(request, problem, {"Retry-After": "60"})
    if token is None or not hmac.compare_digest(given.encode(), token.encode()):
        brake.wrong(client)
        return shown(
            request,
            "login.html",
            view="",
            title="Sign in",
            status=401,
            onward=onward,
            wrong=True,
        )
    answer = RedirectResponse(onward, status_code=303)
    answer.set_cookie(
        COOKIE,
        cookie_of(token),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer
