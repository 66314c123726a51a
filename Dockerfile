# The program alone, for a user without rights; see docs/ci.md.
FROM rust:1-alpine AS build
RUN apk add --no-cache g++ make
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package sequent-cli

FROM alpine:3
# What the job for GitLab needs besides.
RUN apk add --no-cache bash curl jq && adduser -D -u 1000 sequent
COPY --from=build /source/target/release/sequent /usr/local/bin/sequent
COPY --chmod=755 integrations/check.sh /usr/local/bin/sequent-check
COPY --chmod=755 integrations/gitlab-comment.sh /usr/local/bin/sequent-comment
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["sequent"]
CMD ["check", "."]
